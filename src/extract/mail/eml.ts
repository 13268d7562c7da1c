// Mail: sender, recipients, date, text, and the attachments, each read in its own format.

import type PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { readHtml } from "../html/html.ts";
import { corrupt, overLimit } from "../limits.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";

type Address = NonNullable<Email["from"]>;

const MAX_ATTACHMENTS = 100;
const DEEPEST_PARTS = 40;
const MAX_HEADERS_MB = 2;

export async function readEml(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, out } = context;
  const { default: Mail } = await import("postal-mime");
  const mail = await parse(Mail, bytes);
  const subject = mail.subject?.trim() ?? "";
  out.heading(1, subject === "" ? "Mail" : subject);
  out.paragraph(headLines(mail).join("\n"));
  await writeBody(mail, context);
  const attached = mail.attachments.slice(0, MAX_ATTACHMENTS);
  if (attached.length < mail.attachments.length)
    out.warn(toMessage("firstAttachments", attached.length));
  for (const { filename, content, related, mimeType } of attached) {
    // Pictures embedded in the text are logos and signatures.
    if (related && mimeType.startsWith("image/")) continue;
    const name = filename ?? (mimeType === "message/rfc822" ? "attached.eml" : "attachment");
    await readAttachment(context, name, toBuffer(content));
  }
  out.report("text");
  return { method: "text_extraction", ...(subject === "" ? {} : { title: subject }) };
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

function headLines({ from, to, cc, date }: Email): readonly string[] {
  const line = (label: string, text: string) => (text === "" ? [] : [`${label}: ${text}`]);
  return [
    ...line("From", shown(from === undefined ? [] : [from])),
    ...line("To", shown(to ?? [])),
    ...line("Cc", shown(cc ?? [])),
    ...line("Date", date ?? ""),
  ];
}

function shown(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address }) => [name, address && `<${address}>`].filter(Boolean).join(" "))
    .join(", ");
}

/** The plain text is what its author saw; HTML is used only if there is no plain text. */
async function writeBody(mail: Email, context: ReadContext): Promise<void> {
  const { out } = context;
  const plain = mail.text?.trim() ?? "";
  if (plain !== "" || mail.html === undefined) {
    for (const paragraph of plain.split(/\n[ \t]*\n/)) out.paragraph(paragraph);
    return;
  }
  const quiet = { ...out, report: () => {} };
  await readHtml({ ...context, bytes: Buffer.from(mail.html), filename: "mail.html", out: quiet });
}

async function readAttachment(
  { out, readPart }: ReadContext,
  filename: string,
  bytes: Buffer,
): Promise<void> {
  out.heading(2, filename);
  try {
    await readPart({ bytes, filename });
  } catch (thrown) {
    if (!(thrown instanceof KnowledgeError)) throw thrown;
    out.warn(toMessage("attachmentNotRead", filename, thrown.message));
  }
}

function toBuffer(content: string | ArrayBuffer | Uint8Array): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(content as Uint8Array);
}
