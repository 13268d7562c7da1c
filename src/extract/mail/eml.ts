// EML: a mail as it was sent, in parts.

import type PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import type { KnowledgeError } from "../../domain/errors.ts";
import { corrupt, overLimit } from "../failures.ts";
import { decodeText } from "../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { type Attachment, writeMail } from "./mail.ts";

type Address = NonNullable<Email["from"]>;

const DEEPEST_PARTS = 40;
const MAX_HEADERS_MB = 2;

export async function readEml(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, out } = context;
  const { default: Mail } = await import("postal-mime");
  const mail = await parse(Mail, toBytes(bytes));
  const subject = mail.subject?.trim() ?? "";
  await writeMail(
    {
      subject,
      from: shown(mail.from === undefined ? [] : [mail.from]),
      to: shown(mail.to ?? []),
      cc: shown(mail.cc ?? []),
      date: mail.date ?? "",
      text: mail.text ?? "",
      html: mail.html === undefined ? undefined : Buffer.from(mail.html),
      attachments: mail.attachments.flatMap(toAttachment),
    },
    context,
  );
  out.report("text");
  return { method: "text_extraction", ...(subject === "" ? {} : { title: subject }) };
}

/** A mail that was saved as UTF-16 text is read as the bytes that it was sent as. */
function toBytes(bytes: Buffer): Buffer {
  const { text, charset } = decodeText(bytes.subarray(0, 4096));
  return charset.startsWith("utf-16") && text !== "" ? Buffer.from(decodeText(bytes).text) : bytes;
}

async function parse(Mail: typeof PostalMime, bytes: Buffer): Promise<Email> {
  try {
    return await Mail.parse(bytes, {
      maxNestingDepth: DEEPEST_PARTS,
      maxHeadersSize: MAX_HEADERS_MB * 1024 * 1024,
      forceRfc822Attachments: true,
    });
  } catch (cause) {
    throw toFailure(cause);
  }
}

/** The parser reports its limits only in its messages. */
function toFailure(cause: unknown): KnowledgeError {
  const message = cause instanceof Error ? cause.message : "";
  if (/^Maximum MIME nesting/.test(message))
    return overLimit(`its parts are nested more than ${DEEPEST_PARTS} deep`);
  if (/^Maximum header size/.test(message))
    return overLimit(`the headers of one part are larger than ${MAX_HEADERS_MB} MB`);
  return corrupt("The file is not a mail message.", cause);
}

function shown(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address }) => [name, address && `<${address}>`].filter(Boolean).join(" "))
    .join(", ");
}

function toAttachment({
  filename,
  content,
  related,
  mimeType,
}: Email["attachments"][number]): readonly Attachment[] {
  // Pictures embedded in the text are logos and signatures.
  if (related && mimeType.startsWith("image/")) return [];
  const name = filename ?? (mimeType === "message/rfc822" ? "attached.eml" : "attachment");
  return [{ name, content: () => Buffer.from(content as Uint8Array) }];
}
