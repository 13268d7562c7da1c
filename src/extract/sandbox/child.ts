// The process in which files are parsed, one at a time. The server kills it when a file takes too much.
import { readFileSync, statSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { traceOf } from "../../observe/tracing.ts";
import type { ExtractProgress } from "../extract.ts";
import { openReaders } from "../read.ts";
import type { ReadSettings } from "../reader.ts";
import { type Failure, type Job, type Outcome, type Reply, toFrame } from "./protocol.ts";

// Native libraries leak a little. Measuring memory takes a tenth of a message's time, so it is not
// done after each file.
const EXHAUSTED_BYTES = 500 * 1024 * 1024;
const ASKED_EVERY = 20;

const settings = JSON.parse(process.argv[2] ?? "") as ReadSettings;
const readers = openReaders(settings);
let files = 0;

/** The file descriptor of the pipe to the server, which reads replies as soon as they are written. */
const REPLIES = 3;

function reply(message: Reply): void {
  const frame = toFrame(message);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(REPLIES, frame, sent);
}

function end(outcome: Outcome): void {
  files += 1;
  const exhausted = files % ASKED_EVERY === 0 && process.memoryUsage.rss() > EXHAUSTED_BYTES;
  try {
    reply(exhausted ? { ...outcome, exhausted } : outcome);
  } catch (thrown) {
    // The result cannot be sent, which is an outcome too.
    reply(toFailure(thrown));
  }
}

function toFailure(caught: unknown): Failure {
  const thrown = fromSystem(caught, "file");
  if (thrown instanceof KnowledgeError) {
    const { code, message, details, cause } = thrown;
    return {
      kind: "failed",
      code,
      message,
      details,
      ...(cause === undefined ? {} : { cause: traceOf(cause) }),
    };
  }
  return {
    kind: "failed",
    code: "CORRUPT_FILE",
    message: "The file could not be read: its content is damaged or does not match its format.",
    details: {},
    cause: traceOf(thrown),
  };
}

/** The calls block, because this process has nothing else to do. */
function load(path: string, maxBytes: number): Buffer {
  const size = sizeOf(path);
  if (size <= maxBytes) return readFileSync(path);
  const inMb = (bytes: number) => Math.ceil(bytes / (1024 * 1024));
  throw new KnowledgeError(
    "FILE_TOO_LARGE",
    `File size (${inMb(size)} MB) exceeds maximum allowed size (${inMb(maxBytes)} MB)`,
    { details: { max_size_mb: inMb(maxBytes) } },
  );
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (cause) {
    const message = "The file does not exist or cannot be read.";
    throw new KnowledgeError("FILE_NOT_FOUND", message, { cause });
  }
}

const events = {
  progress: (progress: ExtractProgress) => reply({ kind: "progress", progress }),
  alive: () => reply({ kind: "alive" }),
};
async function work(job: Job): Promise<Outcome> {
  try {
    const bytes = load(job.path, settings.limits.fileBytes);
    if ("want" in job) {
      const { viewPage } = await import("../view/view-page.ts");
      const { alive } = events;
      return { kind: "seen", view: await viewPage({ ...job, bytes, settings, alive }) };
    }
    const { filename, forceOcr } = job;
    return { kind: "done", document: await readers.read({ bytes, filename, forceOcr }, events) };
  } catch (thrown) {
    return toFailure(thrown);
  }
}

const requests = createInterface({ input: process.stdin });
requests.on("line", (line) => void work(JSON.parse(line) as Job).then(end));
// The server has exited.
requests.on("close", () => process.exit(0));
