// Originals in a bucket that speaks S3's protocol. Every upload has its own address, so whoever deletes an object
// never deletes what another server has just stored; and the database has the address before the bucket has the object,
// so that none is forgotten. An address that belongs to no original is in `loose_objects`:
//
//   keep     loose ──▶ upload ──▶ original, no longer loose (one transaction)
//   remove   loose and doomed, no longer an original (one transaction) ──▶ object deleted ──▶ forgotten
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import {
  type ErrorCode,
  fromSystem,
  KnowledgeError,
  toKnowledgeError,
} from "../../domain/errors.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import { openBucket, type S3Options } from "../../files/s3.ts";
import type { Log } from "../../observe/log.ts";
import { type Connection, type Engine, oneOf, sql } from "../sql.ts";

export interface BucketOptions extends S3Options {
  /** `s3://bucket/prefix`; absent: new originals are kept in the database. */
  readonly place?: string | undefined;
}

export type Objects = ReturnType<typeof openObjects>;

const PART_BYTES = 1024 * 1024;
/** An upload that takes longer fails. */
const UPLOAD_HOURS = 1;
const REMOVED_AT_ONCE = 16;

/** An address names its bucket, so that originals are found after the setting has changed. */
export function openObjects({ place: given, ...options }: BucketOptions) {
  const place = given?.replace(/\/+$/, "");
  const stop = new AbortController();
  const { signal } = stop;
  const at: Locate = (address) => {
    const [, name = "", key = ""] = /^s3:\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
    return { key, bucket: openBucket(name, options) };
  };
  return {
    place,
    /** For a new object; undefined if originals are kept in the database. */
    newAddress: (hash: string) => place && `${place}/${hash}/${randomUUID()}`,
    put: (address: string, hash: string, file: FileHandle) =>
      upload({ ...at(address), hash, file, signal }),
    has: (address: string) =>
      inBucket(async () => {
        const { bucket, key } = at(address);
        return (await bucket.head(key, signal)) !== undefined;
      }),
    /** False if there is none. */
    fetch: (address: string, path: string) =>
      inBucket(async () => {
        const { bucket, key } = at(address);
        const found = await bucket.get(key, Number.MAX_SAFE_INTEGER, signal);
        if (found) await writeTo(path, found.bytes);
        return found !== undefined;
      }),
    remove: (address: string) =>
      inBucket(() => {
        const { bucket, key } = at(address);
        return bucket.remove(key, signal);
      }),
    /** Those of the addresses that have no object. */
    missing: (addresses: readonly string[]) =>
      inBucket(async () => {
        const missing = new Set(addresses);
        for (const parent of new Set(addresses.map(placeOf))) {
          for await (const address of addressesBelow(at, parent, signal)) missing.delete(address);
        }
        return missing;
      }),
    /** Why no original can be stored. Nothing is listed, because no name begins like this. */
    problem: async (withinMs: number) =>
      place === undefined ? undefined : problemOf(at(`${place}/none/`), withinMs),
    close: () => stop.abort(),
  };
}

type Locate = (address: string) => {
  readonly key: string;
  readonly bucket: ReturnType<typeof openBucket>;
};

async function problemOf({ bucket, key }: ReturnType<Locate>, withinMs: number) {
  const late = AbortSignal.timeout(withinMs);
  try {
    await bucket.list(key, late).next();
    return undefined;
  } catch (thrown) {
    return away(late.aborted ? LATE : thrown);
  }
}

async function* addressesBelow(at: Locate, parent: string, signal: AbortSignal) {
  const { bucket, key: prefix } = at(parent);
  const name = parent.slice(0, parent.length - prefix.length);
  for await (const { key } of bucket.list(prefix, signal)) yield `${name}${key}`;
}

interface Upload extends ReturnType<Locate> {
  readonly hash: string;
  readonly file: FileHandle;
  readonly signal: AbortSignal;
}

async function upload({ bucket, key, hash, file, signal }: Upload): Promise<void> {
  const { size: sizeBytes } = await file.stat();
  const { read, isChanged } = openReading(file, { sizeBytes, hash });
  const sent = inBucket(() => bucket.put(key, { sizeBytes, sha256: hash, read }, signal));
  await sent.catch((thrown: unknown) => {
    throw isChanged() ? changed() : thrown;
  });
  if (isChanged()) throw changed();
}

/** `s3://bucket/prefix/` of `s3://bucket/prefix/hash/id`. */
function placeOf(address: string): string {
  return address.replace(/[^/]+\/[^/]+$/, "");
}

function openReading(
  file: FileHandle,
  { sizeBytes, hash }: { readonly sizeBytes: number; readonly hash: string },
) {
  const state = { isChanged: false };
  return {
    isChanged: () => state.isChanged,
    async *read() {
      const digest = createHash("sha256");
      for (let at = 0; at < sizeBytes; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, at);
        at += bytesRead;
        const part = buffer.subarray(0, bytesRead);
        digest.update(part);
        // Before the last part is sent, so that it is known when the bucket refuses the content.
        if (at >= sizeBytes) state.isChanged = digest.digest("hex") !== hash || at > sizeBytes;
        if (bytesRead > 0) yield part;
        else {
          state.isChanged = true;
          throw changed();
        }
      }
    },
  };
}

export function changed(): KnowledgeError {
  const message = "The file changed while it was stored, so it was not added. Try again.";
  return new KnowledgeError("FILE_UNAVAILABLE", message);
}

async function writeTo(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    // Not write(): on an almost full disk it may write only part of the data without an error.
    for await (const part of bytes) await file.appendFile(part);
  } catch (thrown) {
    throw fromSystem(thrown, "store");
  } finally {
    await file.close();
  }
}

const LATE = new KnowledgeError(
  "FILE_UNAVAILABLE",
  "S3 is unavailable: it did not respond in time.",
);
const OF_BUCKET: ReadonlySet<ErrorCode> = new Set([
  ...(["FILE_UNAVAILABLE", "FILE_NOT_FOUND", "ACCESS_DENIED"] as const),
]);

/** What a bucket refuses is this server's problem, never that of the file. */
async function inBucket<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    const isIts = thrown instanceof KnowledgeError && OF_BUCKET.has(thrown.code);
    throw isIts ? new KnowledgeError("STORE_UNAVAILABLE", away(thrown), { cause: thrown }) : thrown;
  }
}

function away(thrown: unknown): Message {
  return toMessage("bucketAway", toKnowledgeError(thrown).message);
}

/** Those that nothing refers to any more; a process that ends in between leaves them to the next. */
export function openRemoval({ read, write }: Engine, objects: Objects, log: Log) {
  const state: { running?: Promise<void> | undefined; isAgain: boolean } = { isAgain: false };
  const removeSome = async () => {
    const rows = await read((db) =>
      db.all<{ address: string }>(sql`SELECT address FROM loose_objects
        WHERE kb = ${db.kb} AND doomed LIMIT ${REMOVED_AT_ONCE}`),
    );
    const addresses = rows.map(({ address }) => address);
    await Promise.all(addresses.map(objects.remove));
    if (rows.length === 0) return false;
    await write((db) =>
      db.run(sql`DELETE FROM loose_objects
        WHERE kb = ${db.kb} AND doomed AND address ${oneOf("text", addresses)}`),
    );
    return true;
  };
  const run = async () => {
    do {
      state.isAgain = false;
      while (await removeSome());
    } while (state.isAgain);
  };
  const start = () => {
    state.isAgain = true;
    state.running ??= run()
      .catch((cause: unknown) => log.warn("store.objects-kept", { cause }))
      .finally(() => {
        state.running = undefined;
      });
  };
  return {
    start,
    /** After a change, which does not wait for it. */
    nudge: () => objects.place !== undefined && start(),
    idle: async () => state.running,
  };
}

/** Before an upload. */
export async function noteUpload(db: Connection, address: string): Promise<void> {
  await db.run(sql`INSERT INTO loose_objects (kb, address, since, doomed)
    VALUES (${db.kb}, ${address}, now(), false)`);
}

/** With it the object is an original's, or fails if it was given up meanwhile. */
export async function takeUpload(db: Connection, address: string): Promise<void> {
  const taken = await db.run(sql`DELETE FROM loose_objects
    WHERE kb = ${db.kb} AND address = ${address} AND NOT doomed`);
  if (taken === 1) return;
  throw new KnowledgeError("STORE_UNAVAILABLE", "Storing the file took too long. Try again.");
}

export async function doomUpload(db: Connection, address: string): Promise<void> {
  await db.run(sql`UPDATE loose_objects SET doomed = true
    WHERE kb = ${db.kb} AND address = ${address}`);
}

/** Of processes that ended, and of uploads that failed: the object may have arrived nevertheless. */
export async function doomOldUploads(db: Connection): Promise<void> {
  await db.run(sql`UPDATE loose_objects SET doomed = true
    WHERE kb = ${db.kb} AND NOT doomed AND since < now() - ${UPLOAD_HOURS} * interval '1 hour'`);
}
