// `add FOLDER --watch`: follows folders until it is stopped, and prints each file that is added, changed or removed.
import { stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inertJson } from "../../text/clean/inert.ts";
import type { FileChange, FolderReport } from "../../tools/operations.ts";
import type { JsonObject } from "../../tools/tool.ts";
import type { CommandContext } from "../command.ts";
import { INTERRUPTED } from "../exit-code.ts";
import { describeClock } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal, type Speech, type Text } from "../texts.ts";

const LOOK_EVERY_MS = 500;

interface HowToAdd {
  readonly metadata: JsonObject;
  readonly scope?: string;
}

export async function watchFolders(context: CommandContext, how: HowToAdd): Promise<number> {
  const { args, signal, terminal } = context;
  const paths = args.map((path) => resolve(path));
  for (const path of paths) await expectFolder(path);
  const app = await context.openApp();
  const watched = paths.map((path) => ({ path, ...how }));
  const folders = await app.operations.watchFolders(watched, (change) =>
    show(change, paths, terminal),
  );
  terminal.notify("Watching {0|folder|folders}; press Ctrl-C to stop.", paths.length);
  let last = "";
  try {
    while (!signal.aborted) {
      const shown = folders
        .reports()
        .map((report) => describe(report, terminal))
        .join("\n");
      if (shown !== last) terminal.note(shown);
      last = shown;
      // Ends early when the command is stopped.
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await folders.close();
  }
  terminal.notify("Stopped watching. Documents that were added stay.");
  return context.isInterrupted() ? INTERRUPTED : 0;
}

async function expectFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw found
    ? refusal("INVALID_PARAMETER", "--watch needs a folder; {0} is a file.", path)
    : refusal("FILE_NOT_FOUND", "No such folder: {0}", path);
}

const STYLES = {
  added: ["green", "added"],
  changed: ["green", "changed"],
  removed: ["yellow", "removed"],
  failed: ["red", "failed"],
  present: ["dim", "known"],
} as const satisfies Readonly<Record<FileChange["change"], readonly [string, Text]>>;

function show(file: FileChange, roots: readonly string[], terminal: Terminal): void {
  const time = new Date().toISOString();
  if (terminal.asJson) {
    terminal.line(inertJson({ time, ...file }));
    return;
  }
  const { path, change, reason } = file;
  const root = roots.find((folder) => path.startsWith(`${folder}${sep}`)) ?? "";
  const [style, word] = STYLES[change];
  const what = `${terminal.style(style, terminal.t(word).padEnd(7))}  ${relative(root, path)}`;
  terminal.line(`${describeClock(time)}  ${what}${reason === undefined ? "" : `: ${reason}`}`);
}

function describe(report: FolderReport, { t }: Speech): string {
  const { path, status, files, waiting, refused, skipped } = report;
  const parts = [t("{0|file|files}", files)];
  if (waiting > 0) parts.push(t("{0} waiting", waiting));
  if (refused > 0) parts.push(t("{0} failed", refused));
  if (skipped > 0) parts.push(t("{0|image|images} without text skipped", skipped));
  return `${path}: ${[t(STATUS[status]), ...parts].join(t(", "))}`;
}

const STATUS: Readonly<Record<FolderReport["status"], Text>> = {
  starting: "starting",
  settling: "catching up",
  fresh: "up to date",
  unavailable: "cannot be read now",
  elsewhere: "watched by another process",
};
