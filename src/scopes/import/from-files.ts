// Writes files that a person dropped on a page into a temporary folder for the importer.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { ImportReport } from "./import.ts";

export interface RuleFile {
  /** Relative to the dropped folder's parent, separated by `/`. */
  readonly path: string;
  readonly text: string;
}

const MAX_PART_BYTES = 200;

/** The report uses the names that the files had when they were dropped. */
export async function importFiles(
  files: readonly RuleFile[],
  run: (paths: readonly string[]) => Promise<ImportReport>,
): Promise<ImportReport> {
  for (const { path } of files) refuseUnsafe(path);
  const root = await realpath(await mkdtemp(join(tmpdir(), "knowledge-rules-")));
  const shown = (text: string) => text.replaceAll(`${root}/`, "");
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return relabel(await run(pathsOf(files).map((path) => `${root}/${path}`)), shown);
  } catch (thrown) {
    const { code, message, details } = toKnowledgeError(thrown);
    throw new KnowledgeError(code, shown(message), { details, cause: thrown });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Lists the dropped folders by name, and the single files. */
function pathsOf(files: readonly RuleFile[]): readonly string[] {
  return [...new Set(files.map(({ path }) => path.split("/")[0] ?? path))];
}

function refuseUnsafe(path: string): void {
  const isSafe = path.split("/").every((part) => {
    const isName = part !== "" && part !== "." && part !== "..";
    return isName && Buffer.byteLength(part) <= MAX_PART_BYTES && !/[\\:\p{Cc}]/u.test(part);
  });
  if (isSafe) return;
  throw new KnowledgeError("INVALID_PARAMETER", "A file's path must lead inside the folder.");
}

function relabel(report: ImportReport, shown: (text: string) => string): ImportReport {
  const named = <Row extends { readonly source: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => ({ ...row, source: shown(row.source) }));
  return {
    ...report,
    sources: named(report.sources),
    refused: named(report.refused),
    fatal: named(report.fatal),
  };
}
