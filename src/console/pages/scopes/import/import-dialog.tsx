import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { useI18n } from "../../state/language.ts";
import { ChooseRules, type Wanted, WhereTo } from "./import-fields.tsx";
import { PreviewView } from "./preview-view.tsx";
import { needsScope, offeredScope, type RuleFiles } from "./rule-files.ts";
import { sendDrop } from "./send-drop.ts";
import { type Preview, usePreview } from "./use-preview.ts";

interface ImportDialogProps {
  readonly files: RuleFiles;
  /** The scope on the page. It gets the rules that name no scope, unless the person chooses another. */
  readonly selected: string | undefined;
  readonly onFiles: (files: RuleFiles) => void;
  readonly onClose: () => void;
  readonly onImported: (id: string | undefined) => void;
}

export function ImportDialog({ files, selected, onFiles, onClose, onImported }: ImportDialogProps) {
  const { t, explain } = useI18n();
  const [wanted, setWanted] = useState<Wanted>({ guides: false });
  const [problem, setProblem] = useState("");
  const isNeeded = needsScope(files);
  const offered = offeredScope(files);
  const typed = wanted.scope ?? (isNeeded ? (selected ?? offered) : "");
  const scope = typed.trim();
  const wish = useMemo(() => {
    if (files.length === 0 || (scope === "" && isNeeded)) return undefined;
    return { files, write: false, guides: wanted.guides, ...(scope === "" ? {} : { scope }) };
  }, [files, scope, isNeeded, wanted.guides]);
  const { preview, isCurrent } = usePreview(wish);
  const write = async () => {
    if (!wish) return;
    try {
      const report = await sendDrop({ ...wish, write: true });
      if (report.applied) onImported(report.scopes[0]?.id);
    } catch (thrown) {
      setProblem(explain(thrown));
    }
  };
  return (
    <Dialog title={t("importRules")} onClose={onClose}>
      <ChooseRules files={files} onFiles={onFiles} />
      {files.length > 0 && (
        <WhereTo {...{ typed, offered, isNeeded, wanted }} onWanted={setWanted} />
      )}
      <PreviewView preview={problem ? { kind: "failed", thrown: problem } : preview} />
      <Ends canWrite={isCurrent && hasChanges(preview)} onWrite={write} onClose={onClose} />
    </Dialog>
  );
}

function hasChanges(preview: Preview): boolean {
  if (preview.kind !== "seen" || preview.report.fatal.length > 0) return false;
  return preview.report.scopes.some(({ outcome }) => outcome === "added" || outcome === "changed");
}

interface EndsProps {
  readonly canWrite: boolean;
  readonly onWrite: () => void;
  readonly onClose: () => void;
}

function Ends({ canWrite, onWrite, onClose }: EndsProps) {
  const { t } = useI18n();
  return (
    <div class="row end">
      <button type="button" class="quiet" onClick={onClose}>
        {t("cancel")}
      </button>
      <button type="button" disabled={!canWrite} onClick={onWrite}>
        {t("importNow")}
      </button>
    </div>
  );
}
