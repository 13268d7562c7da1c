// `add FOLDER --watch`: follows folders until it is stopped, and prints each file that is added, changed or removed.
import { stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import { inertJson } from "../../text/clean/inert.ts";
import { count } from "../../text/english/count.ts";
import type { FileChange, FolderReport } from "../../tools/operations.ts";
import type { JsonObject } from "../../tools/tool.ts";
import type { CommandContext } from "../command.ts";
import { INTERRUPTED } from "../exit-code.ts";
import { describeClock } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeSkipped } from "./added-table.ts";

const LOOK_EVERY_MS = 500;

export async function watchFolders(context: CommandContext, metadata: JsonObject): Promise<number> {
  const { args, options, signal, terminal } = context;
  const { scope } = options;
  const paths = args.map((path) => resolve(context.path(path)));
  for (const path of paths) await expectFolder(path);
  const app = await context.openApp();
  const watched = paths.map((path) => ({
    path,
    metadata,
    ...(typeof scope === "string" && { scope }),
  }));
  const folders = await app.operations.watchFolders(watched, (change) =>
    show(change, paths, terminal),
  );
  terminal.note(`Watching ${count(paths.length, "folder")}; press Ctrl-C to stop.`);
  let last = "";
  try {
    while (!signal.aborted) {
      const shown = folders.reports().map(describe).join("\n");
      if (shown !== last) terminal.note(shown);
      last = shown;
      // Ends early when the command is stopped.
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await folders.close();
  }
  terminal.note("Stopped watching. Documents that were added stay.");
  return context.isInterrupted() ? INTERRUPTED : 0;
}

async function expectFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw found
    ? new KnowledgeError("INVALID_PARAMETER", `--watch needs a folder; ${path} is a file.`)
    : new KnowledgeError("FILE_NOT_FOUND", `No such folder: ${path}`);
}

const STYLES = {
  added: ["green", "added"],
  changed: ["green", "changed"],
  removed: ["yellow", "removed"],
  failed: ["red", "failed"],
  present: ["dim", "known"],
} as const satisfies Readonly<Record<FileChange["change"], readonly [string, string]>>;

function show(file: FileChange, roots: readonly string[], terminal: Terminal): void {
  const time = new Date().toISOString();
  if (terminal.asJson) {
    terminal.line(inertJson({ time, ...file }));
    return;
  }
  const { path, change, reason } = file;
  const root = roots.find((folder) => path.startsWith(`${folder}${sep}`)) ?? "";
  const [style, word] = STYLES[change];
  const what = `${terminal.style(style, word.padEnd(7))}  ${relative(root, path)}`;
  terminal.line(`${describeClock(time)}  ${what}${reason === undefined ? "" : `: ${reason}`}`);
}

function describe(report: FolderReport): string {
  const { path, status, files, waiting, refused, skipped } = report;
  const parts = [count(files, "file")];
  if (waiting > 0) parts.push(`${waiting} waiting`);
  if (refused > 0) parts.push(`${refused} failed`);
  if (skipped > 0) parts.push(describeSkipped(skipped));
  return `${path}: ${STATUS[status]}, ${parts.join(", ")}`;
}

const STATUS: Readonly<Record<FolderReport["status"], string>> = {
  starting: "starting",
  settling: "catching up",
  fresh: "up to date",
  unavailable: "cannot be read now",
  elsewhere: "watched by another process",
};
