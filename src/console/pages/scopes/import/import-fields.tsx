import { useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { useI18n } from "../../state/language.ts";
import { chosenFiles } from "../../uploads/dropped-files.ts";
import { type RuleFiles, readRuleFiles } from "./rule-files.ts";

export interface Wanted {
  /** The typed scope; undefined until something is typed. */
  readonly scope?: string;
  readonly guides: boolean;
}

const ACCEPTED = ".md,.markdown,.mdc,.json,.yaml,.yml";

interface ChooseProps {
  readonly files: RuleFiles;
  readonly onFiles: (files: RuleFiles) => void;
}

export function ChooseRules({ files, onFiles }: ChooseProps) {
  const { t } = useI18n();
  const single = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = async ({ currentTarget: input }: { readonly currentTarget: HTMLInputElement }) => {
    const chosen = chosenFiles(input.files ?? []);
    input.value = "";
    onFiles(await readRuleFiles(chosen));
  };
  // The browser's own field would say "No file chosen" although files were dropped.
  const hidden = { type: "file", class: "hidden", tabIndex: -1, onChange: take } as const;
  return (
    <>
      <p class="muted">{t("importHint")}</p>
      <p class="row">
        <button type="button" class="outline" onClick={() => single.current?.click()}>
          <Icon name="upload" /> {t("ruleFiles")}
        </button>
        <button type="button" class="outline" onClick={() => folder.current?.click()}>
          {t("ruleFolder")}
        </button>
      </p>
      <input ref={single} {...hidden} multiple accept={ACCEPTED} aria-label={t("ruleFiles")} />
      <input
        {...hidden}
        ref={(input) => {
          folder.current = input;
          if (input) input.webkitdirectory = true;
        }}
        aria-label={t("ruleFolder")}
      />
      <p role="status">{files.length > 0 && t("filesToImport", files.length, namesOf(files))}</p>
    </>
  );
}

const NAMED = 3;

function namesOf(files: RuleFiles): string {
  const names = files.slice(0, NAMED).map(({ path }) => path);
  return [...names, ...(files.length > NAMED ? ["…"] : [])].join(", ");
}

interface WhereToProps {
  readonly typed: string;
  /** The scope suggested by the folder's or file's name. */
  readonly offered: string;
  readonly isNeeded: boolean;
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
}

export function WhereTo({ typed, offered, isNeeded, wanted, onWanted }: WhereToProps) {
  const { t } = useI18n();
  return (
    <div class="form">
      <label>
        {t("importInto")}
        <input
          value={typed}
          required={isNeeded}
          placeholder={isNeeded ? t("scopeId") : offered || t("asTheFilesSay")}
          onInput={(event) => onWanted({ ...wanted, scope: event.currentTarget.value })}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={wanted.guides}
          onChange={(event) => onWanted({ ...wanted, guides: event.currentTarget.checked })}
        />
        {t("guidesToo")}
      </label>
    </div>
  );
}
