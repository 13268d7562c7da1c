import { useSpeech } from "../../state/language.ts";
import { chosenFiles } from "../../uploads/dropped-files.ts";
import { type RuleFiles, readRuleFiles } from "./rule-files.ts";

export interface Wanted {
  /** As typed; undefined until then. */
  readonly scope?: string;
  readonly guides: boolean;
}

interface ChooseProps {
  readonly files: RuleFiles;
  readonly onFiles: (files: RuleFiles) => void;
}

export function ChooseRules({ files, onFiles }: ChooseProps) {
  const { say } = useSpeech();
  const take = async (input: HTMLInputElement) =>
    onFiles(await readRuleFiles(chosenFiles(input.files ?? [])));
  return (
    <>
      <p class="muted">{say("importHint")}</p>
      <div class="form">
        <label>
          {say("ruleFiles")}
          <input
            type="file"
            multiple
            accept=".md,.markdown,.mdc,.json,.yaml,.yml"
            onChange={(event) => take(event.currentTarget)}
          />
        </label>
        <label>
          {say("ruleFolder")}
          <input type="file" ref={asFolder} onChange={(event) => take(event.currentTarget)} />
        </label>
      </div>
      <p role="status">{files.length > 0 && say("filesToImport", files.length)}</p>
    </>
  );
}

function asFolder(input: HTMLInputElement | null): void {
  if (input) input.webkitdirectory = true;
}

interface WhereToProps {
  readonly scope: string;
  readonly isNeeded: boolean;
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
}

export function WhereTo({ scope, isNeeded, wanted, onWanted }: WhereToProps) {
  const { say } = useSpeech();
  return (
    <div class="form">
      <label>
        {say("importInto")}
        <input
          value={scope}
          required={isNeeded}
          placeholder={say(isNeeded ? "scopeId" : "asTheFilesSay")}
          onChange={(event) => onWanted({ ...wanted, scope: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={wanted.guides}
          onChange={(event) => onWanted({ ...wanted, guides: event.currentTarget.checked })}
        />
        {say("guidesToo")}
      </label>
    </div>
  );
}
