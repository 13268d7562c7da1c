// The process in which files are parsed, one at a time. The server kills it when a file takes too much.
import { KnowledgeError } from "../domain/errors.ts";
import type { ExtractProgress } from "./extract.ts";
import type { ReadJob, Reply } from "./protocol.ts";
import { readDocument } from "./read.ts";

function reply(message: Reply): void {
  process.send?.(message);
}

function toFailure(thrown: unknown): Reply {
  if (thrown instanceof KnowledgeError) {
    const cause = thrown.cause === undefined ? {} : { cause: String(thrown.cause) };
    return {
      kind: "failed",
      code: thrown.code,
      message: thrown.message,
      details: thrown.details,
      ...cause,
    };
  }
  return {
    kind: "failed",
    code: "CORRUPT_FILE",
    message: "The file could not be read: its content is damaged or not what its format promises.",
    details: {},
    cause: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  };
}

process.on("message", (job: ReadJob) => {
  const told = {
    progress: (progress: ExtractProgress) => reply({ kind: "progress", progress }),
    alive: () => reply({ kind: "alive" }),
  };
  readDocument(job, told).then(
    (document) => reply({ kind: "done", document }),
    (thrown: unknown) => reply(toFailure(thrown)),
  );
});
// The server is gone: nobody waits for the result.
process.on("disconnect", () => process.exit(0));
