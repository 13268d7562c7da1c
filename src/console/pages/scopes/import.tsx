// Files with rules, chosen or dropped on the page: previewed, and written when the person confirms.
import { useMemo, useState } from "preact/hooks";
import type { DropReport, ScopeRow } from "../../../tools/scopes/contract.ts";
import { Button } from "../parts/button.tsx";
import { Dialog, useAttempt } from "../parts/dialog.tsx";
import { Problem } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { FileButton } from "../uploads/drop-zone.tsx";
import { type NamedFile, useDrop } from "../uploads/dropped-files.ts";
import { Report, sendDrop, usePreview } from "./import-preview.tsx";
import {
  mayHoldRules,
  needsScope,
  offeredScope,
  type RuleFiles,
  readRuleFiles,
} from "./rule-files.ts";

/** On this page dropped files contain rules. */
export function useRuleDrop(isOffered: boolean, onFiles: (files: RuleFiles) => void): void {
  useDrop({
    on: document,
    isOffered,
    isWanted: mayHoldRules,
    onFiles: (files) => void readRuleFiles(files).then(onFiles),
  });
}

interface Wanted {
  /** The typed scope; undefined until something is typed. */
  readonly scope?: string;
  readonly guides: boolean;
  /** The scope that a new one inherits from; empty for none. */
  readonly parent: string;
}

interface ImportDialogProps {
  readonly files: RuleFiles;
  readonly scopes: readonly ScopeRow[];
  /** The scope on the page. It gets the rules that name no scope, unless the person chooses another. */
  readonly selected: string | undefined;
  readonly onFiles: (files: RuleFiles) => void;
  readonly onClose: () => void;
  readonly onImported: (id: string | undefined) => void;
}

export function ImportDialog(props: ImportDialogProps) {
  const { files, scopes, selected, onFiles, onClose, onImported } = props;
  const { t } = useI18n();
  const [wanted, setWanted] = useState<Wanted>({ guides: false, parent: "" });
  const { problem, attempt } = useAttempt();
  const isNeeded = needsScope(files);
  const offered = offeredScope(files);
  const typed = wanted.scope ?? (isNeeded ? (selected ?? offered) : "");
  const scope = typed.trim();
  const wish = useMemo(() => {
    if (files.length === 0 || (scope === "" && isNeeded)) return undefined;
    const { guides, parent } = wanted;
    return { files, write: false, guides, ...(scope && { scope }), ...(parent && { parent }) };
  }, [files, scope, isNeeded, wanted]);
  const { report: seen, error, isCurrent } = usePreview(wish);
  const write = () =>
    attempt(async () => {
      const report = wish && (await sendDrop({ ...wish, write: true }));
      if (report?.applied) onImported(report.scopes[0]?.id);
    });
  return (
    <Dialog title={t("importRules")} onClose={onClose}>
      <ChooseRules files={files} onFiles={onFiles} />
      {files.length > 0 && (
        <WhereTo {...{ typed, offered, isNeeded, wanted, scopes }} onWanted={setWanted} />
      )}
      <Problem text={problem || error} />
      {!problem && !error && seen && <Report report={seen} />}
      <div class="row end">
        {files.length > 0 && <Reason seen={isCurrent ? seen : undefined} isNamed={!!wish} />}
        <Button class="quiet" text={t("cancel")} onClick={onClose} />
        <Button text={t("importNow")} disabled={!(isCurrent && hasChanges(seen))} onClick={write} />
      </div>
    </Dialog>
  );
}

interface ReasonProps {
  readonly seen: DropReport | undefined;
  readonly isNamed: boolean;
}

/** Why nothing can be imported. */
function Reason({ seen, isNamed }: ReasonProps) {
  const { t } = useI18n();
  const isSame = seen !== undefined && !hasChanges(seen);
  return (
    <span class="muted small grow" role="status">
      {!isNamed && t("importNeedsScope")}
      {isNamed && isSame && t("importNothing")}
    </span>
  );
}

function hasChanges(seen: DropReport | undefined): boolean {
  if (seen === undefined || seen.fatal.length > 0) return false;
  return seen.scopes.some(({ outcome }) => outcome === "added" || outcome === "changed");
}

const ACCEPTED = ".md,.markdown,.mdc,.json,.yaml,.yml";

interface ChooseProps {
  readonly files: RuleFiles;
  readonly onFiles: (files: RuleFiles) => void;
}

function ChooseRules({ files, onFiles }: ChooseProps) {
  const { t } = useI18n();
  const take = async (chosen: readonly NamedFile[]) => onFiles(await readRuleFiles(chosen));
  const shared = { class: "outline", onFiles: take } as const;
  return (
    <>
      <p class="muted">{t("importHint")}</p>
      <p class="row">
        <FileButton {...shared} icon="upload" text={t("ruleFiles")} accept={ACCEPTED} />
        <FileButton {...shared} text={t("ruleFolder")} isFolder />
      </p>
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
  readonly scopes: readonly ScopeRow[];
  readonly onWanted: (wanted: Wanted) => void;
}

function WhereTo({ typed, offered, isNeeded, wanted, scopes, onWanted }: WhereToProps) {
  const { t } = useI18n();
  const isNew = typed.trim() !== "" && scopes.every(({ id }) => id !== typed.trim());
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
      {isNew && scopes.length > 0 && (
        <label>
          {t("importParent")}
          <select
            value={wanted.parent}
            onInput={(event) => onWanted({ ...wanted, parent: event.currentTarget.value })}
          >
            <option value="">{t("noParent")}</option>
            {scopes.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
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
