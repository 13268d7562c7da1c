import { useEffect, useRef } from "preact/hooks";
import { droppedFiles } from "../../uploads/dropped-files.ts";
import { mayHoldRules, type RuleFiles, readRuleFiles } from "./rule-files.ts";

/** On this page dropped files contain rules; handled before the window's listener, which would upload them. */
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
