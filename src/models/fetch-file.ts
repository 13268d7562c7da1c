// Fetches one large file, and goes on where an earlier attempt ended: what is there stays beside the file as NAME.part.
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";

export interface Fetching {
  readonly url: string;
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** How many bytes of the file are there, of how many if the hub says so. */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

// A hub that sends nothing for so long has lost the connection.
const STALL_MS = 60_000;

/** The file is complete when it resolves. After a failure another call continues it. */
export async function fetchFile(fetching: Fetching): Promise<void> {
  const { path } = fetching;
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    const before = await sizeOf(`${path}.part`);
    const outcome = await fetchRest(fetching, before);
    if (outcome === "complete") break;
    // A connection that brought something is worth another one.
    if ((await sizeOf(`${path}.part`)) <= before) throw broken("the connection ended too early");
  }
  await rename(`${path}.part`, path);
  await rm(`${path}.etag`, { force: true });
}

async function fetchRest(fetching: Fetching, there: number): Promise<"complete" | "cut"> {
  const { url, path, signal } = fetching;
  const etag = there > 0 ? await readFile(`${path}.etag`, "utf8").catch(() => "") : "";
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), STALL_MS).unref();
  try {
    const response = await fetch(url, {
      // Bytes of a compressed response cannot be continued.
      headers: { "accept-encoding": "identity", ...(etag !== "" && rangeFrom(there, etag)) },
      signal: AbortSignal.any([signal, stall.signal]),
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw refused(response.status);
    }
    return await save(response, fetching, { timer, there });
  } catch (error) {
    if (signal.aborted) throw new KnowledgeError("CANCELLED", "The download was cancelled.");
    if (error instanceof KnowledgeError || isOfDisk(error)) throw error;
    if ((await sizeOf(`${path}.part`)) > there) return "cut";
    throw broken("no connection");
  } finally {
    clearTimeout(timer);
  }
}

/** The hub sends everything again if the file has changed since. */
function rangeFrom(there: number, etag: string) {
  return { range: `bytes=${there}-`, "if-range": etag };
}

async function save(
  response: Response,
  { path, maxBytes, onBytes }: Fetching,
  { timer, there }: { readonly timer: NodeJS.Timeout; readonly there: number },
): Promise<"complete" | "cut"> {
  const from = response.status === 206 ? there : 0;
  const length = response.headers.get("content-length");
  const total = length === null ? undefined : from + Number(length);
  if ((total ?? 0) > maxBytes) throw tooLarge();
  const etag = response.headers.get("etag") ?? "";
  // A weak tag does not promise the same bytes.
  await writeFile(`${path}.etag`, etag.startsWith("W/") ? "" : etag);
  const file = await open(`${path}.part`, from === 0 ? "w" : "r+");
  let at = from;
  try {
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
      if (at + bytes.length > maxBytes) throw tooLarge();
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
      timer.refresh();
      onBytes(at, total);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return total === undefined || at === total ? "complete" : "cut";
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** As opposed to errors of the network. */
function isOfDisk(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EACCES", "EROFS", "EIO"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  );
}

function refused(status: number): KnowledgeError {
  if (status === 401 || status === 403 || status === 404) {
    return new KnowledgeError(
      "MODEL_UNAVAILABLE",
      `The hub does not offer this file (status ${status}). Check KNOWLEDGE_MODEL_HUB.`,
    );
  }
  return broken(`the hub returned status ${status}`);
}

function broken(reason: string): KnowledgeError {
  return new KnowledgeError(
    "MODEL_UNAVAILABLE",
    `The download stopped (${reason}). Run the command again to continue it.`,
  );
}

function tooLarge(): KnowledgeError {
  return new KnowledgeError("FILE_TOO_LARGE", "The hub's file is much larger than this model.");
}
