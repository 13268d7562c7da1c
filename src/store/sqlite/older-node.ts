// Replacements for features that `node:sqlite` and `node:zlib` lack in Node 22.13 to 22.15.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import * as zlib from "node:zlib";
import { KnowledgeError } from "../../domain/errors.ts";

/** Those versions do not support URIs with options, so the file is opened with SQLite's defaults. */
export function openReadOnly(url: URL): DatabaseSync {
  try {
    return new DatabaseSync(url, { readOnly: true });
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== "ERR_INVALID_ARG_TYPE") throw thrown;
    return new DatabaseSync(fileURLToPath(url), { readOnly: true });
  }
}

export function rollBack(connection: DatabaseSync): void {
  // Undefined if the runtime does not report it: a rollback outside a transaction fails and changes nothing.
  const isInside: boolean | undefined = connection.isTransaction;
  if (isInside === false) return;
  try {
    connection.exec("ROLLBACK");
  } catch (thrown) {
    if (isInside) throw thrown;
  }
}

/** Rows as arrays; the columns of a statement have different names. */
export function asArrays(statement: StatementSync): StatementSync {
  if (typeof statement.setReturnArrays === "function") {
    statement.setReturnArrays(true);
    return statement;
  }
  const values = (row: unknown) => (row === undefined ? undefined : Object.values(row as object));
  const { get, all, iterate } = statement;
  return Object.assign(statement, {
    get: (...args: Parameters<typeof get>) => values(get.apply(statement, args)),
    all: (...args: Parameters<typeof all>) => all.apply(statement, args).map(values),
    *iterate(...args: Parameters<typeof iterate>) {
      for (const row of iterate.apply(statement, args)) yield values(row);
    },
  });
}

const ZSTD = 0xfd2fb528;

export function compress(text: string): Uint8Array {
  return (zlib.zstdCompressSync ?? zlib.gzipSync)(text);
}

export function decompress(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isZstd = bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTD;
  if (!isZstd && bytes[0] === 0x1f) return zlib.gunzipSync(bytes).toString("utf8");
  if (zlib.zstdDecompressSync === undefined) {
    const message = `The text of this document was stored with a newer Node than ${process.versions.node}: use Node 22.15 or newer.`;
    throw new KnowledgeError("STORE_UNAVAILABLE", message);
  }
  return zlib.zstdDecompressSync(bytes).toString("utf8");
}
