// The progress of adding many files, on one line.
import type { Terminal } from "../terminal/terminal.ts";
import { labeller } from "./added-table.ts";

export function openFilesBar(files: readonly string[], terminal: Terminal) {
  const bar = terminal.progress();
  const label = labeller(files);
  const fractions = new Map<string, number>();
  const state = { isStopping: false };
  return {
    update(path: string, fraction: number, step: string) {
      fractions.set(path, fraction);
      if (state.isStopping) return;
      const all = [...fractions.values()].reduce((sum, each) => sum + each, 0) / files.length;
      bar.update(`${fractions.size}/${files.length} ${label(path)} · ${step}`, all);
    },
    stopping() {
      state.isStopping = true;
      bar.end();
      terminal.note("Stopping. Added files stay; press Ctrl-C again to quit at once.");
    },
    end: () => bar.end(),
  };
}
