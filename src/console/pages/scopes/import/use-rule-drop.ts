import { useEffect, useRef } from "preact/hooks";
import { droppedFiles } from "../../uploads/dropped-files.ts";
import { mayHoldRules, type RuleFiles, readRuleFiles } from "./rule-files.ts";

/** On this page a drop brings rules; taken before the window's own listener would upload it. */
export function useRuleDrop(onFiles: (files: RuleFiles) => void): void {
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    document.addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        if (!event.dataTransfer?.types.includes("Files")) return;
        void droppedFiles(event.dataTransfer, mayHoldRules)
          .then(readRuleFiles)
          .then((files) => take.current(files));
      },
      { signal },
    );
    return () => listening.abort();
  }, []);
}
