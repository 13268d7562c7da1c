// A watched folder's files after the last complete pass, on disk: after a restart only changed files are read.
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { defined } from "../../domain/defined.ts";
import type { Stamp } from "./scan.ts";

const Entry = z.object({
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  hash: z.string(),
  /** Why the file is not in the knowledge base; absent if it is. */
  refused: z.string().optional(),
  /** Set together with `refused` for an image without text, which is not reported as a failure. */
  isPlain: z.literal(true).optional(),
});

const Ledger = z.object({
  version: z.literal(1),
  root: z.string(),
  scope: z.string().optional(),
  settledAt: z.string(),
  files: z.record(z.string(), Entry),
});

export type Ledger = Readonly<z.infer<typeof Ledger>>;

export type LedgerEntry = Readonly<z.infer<typeof Entry>>;

/** An unreadable ledger counts as empty: every file is read again, and none is added twice. */
export async function readLedger(path: string): Promise<Ledger | undefined> {
  try {
    return Ledger.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

export async function writeLedger(
  path: string,
  { root, scope }: Pick<Ledger, "root" | "scope">,
  files: ReadonlyMap<string, LedgerEntry>,
): Promise<void> {
  // Does not create the data folder: if it was moved, a half-empty one must not replace it.
  await mkdir(dirname(path), { mode: 0o700 }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "EEXIST") throw thrown;
  });
  const settledAt = new Date().toISOString();
  const ledger: Ledger = {
    version: 1,
    root,
    ...defined({ scope }),
    settledAt,
    files: Object.fromEntries(files),
  };
  const file = await open(`${path}.new`, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify(ledger));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** `touched`: new or changed files. */
export function compare(
  ledger: ReadonlyMap<string, LedgerEntry>,
  seen: ReadonlyMap<string, Stamp>,
) {
  const touched = [...seen].filter(([path, stamp]) => {
    const known = ledger.get(path);
    return known?.sizeBytes !== stamp.sizeBytes || known.mtimeMs !== stamp.mtimeMs;
  });
  return {
    touched: touched.map(([path]) => path),
    gone: [...ledger.keys()].filter((path) => !seen.has(path)),
  };
}
