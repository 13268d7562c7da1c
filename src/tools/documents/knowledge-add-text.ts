import { Readable } from "node:stream";
import { KnowledgeError } from "../../domain/errors.ts";
import { binaryFormatOfName } from "../../domain/format-name.ts";
import { KNOWLEDGE_ADD_TEXT } from "./contract.ts";
import { respondToAdd } from "./respond-to-add.ts";
import { type DocumentRooms, documentsTool, invalidParameter } from "./tool.ts";

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function knowledgeAddText(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_ADD_TEXT,
    title: "Add text or a file's content",
    effect: "write",
    startsTask: true,
    idempotent: true,
    description:
      "Add text from the conversation, such as notes, or a file's bytes in base64 to the knowledge base. " +
      "Returns the same as knowledge-add, which takes files of the server's machine.",
    run: async (args, context, seen) => {
      const bytes = bytesOf(args.text, args.content_base64);
      if (args.text !== undefined) expectTextName(args.filename);
      const filename = withExtension(args.filename);
      const source = { kind: "upload", filename, bytes: Readable.from([bytes]) } as const;
      return respondToAdd(seen, source, { args, context });
    },
  });
}

function bytesOf(text: string | undefined, base64: string | undefined): Buffer {
  if (text !== undefined && base64 !== undefined)
    throw invalidParameter("text", "cannot be combined with content_base64");
  if (text !== undefined) return Buffer.from(text);
  if (base64 === undefined) {
    throw new KnowledgeError(
      "MISSING_REQUIRED_PARAMETER",
      "Required parameter 'text' is missing; pass text or content_base64",
      { details: { parameter: "text" } },
    );
  }
  const compact = base64.replace(/\s+/g, "");
  if (!BASE64.test(compact)) throw invalidParameter("content_base64", "must be base64");
  return Buffer.from(compact, "base64");
}

/** Otherwise the task would fail later, when the caller may no longer be watching. */
function expectTextName(filename: string): void {
  const format = binaryFormatOfName(filename);
  if (format === undefined) return;
  throw invalidParameter(
    "filename",
    `names a ${format.toUpperCase()} file, but text was passed. Pass the file's bytes as content_base64, or a name that ends in .md or .txt`,
  );
}

/** A name without an extension is treated as a note. */
function withExtension(filename: string): string {
  return /\.[^./\\\s]{1,12}$/.test(filename) ? filename : `${filename}.md`;
}
