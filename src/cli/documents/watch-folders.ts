// `add FOLDER --watch`: follows folders until it is stopped, and prints what changed.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import { inertJson } from "../../text/clean/inert.ts";
import type { FolderReport } from "../../tools/operations.ts";
import type { JsonObject } from "../../tools/tool.ts";
import type { CommandContext } from "../command.ts";

const LOOK_EVERY_MS = 500;

export async function watchFolders(context: CommandContext, metadata: JsonObject): Promise<number> {
  const { args, signal, terminal } = context;
  const paths = args.map((path) => resolve(context.path(path)));
  for (const path of paths) await expectFolder(path);
  const app = await context.openApp();
  const folders = await app.operations.watchFolders(paths.map((path) => ({ path, metadata })));
  terminal.note("Following; Ctrl-C ends it.");
  let last = "";
  try {
    while (!signal.aborted) {
      const reports = folders.reports();
      const shown = terminal.asJson ? inertJson(reports) : reports.map(describe).join("\n");
      if (shown !== last) terminal.line(shown);
      last = shown;
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await folders.close();
  }
  return 0;
}

async function expectFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const message = found ? "--watch follows folders, not single files." : "There is no such folder.";
  throw new KnowledgeError("FILE_NOT_FOUND", message);
}

function describe({ path, status, files, waiting, refused }: FolderReport): string {
  const parts = [`${files} files`];
  if (waiting > 0) parts.push(`${waiting} waiting`);
  if (refused.length > 0) parts.push(`${refused.length} refused`);
  return `${path}: ${STATUS[status]}, ${parts.join(", ")}`;
}

const STATUS: Readonly<Record<FolderReport["status"], string>> = {
  starting: "starting",
  settling: "catching up",
  fresh: "up to date",
  away: "cannot be read now",
  elsewhere: "followed by another process",
};
