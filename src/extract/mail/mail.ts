// One mail, whatever its format: subject, sender, recipients, date, text, and the attachments, each read in its own format.
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { readHtml } from "../html/html.ts";
import type { ReadContext } from "../reader.ts";

export interface Attachment {
  readonly name: string;
  readonly content: () => Buffer;
}

export interface Mail {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly date: string;
  readonly text: string;
  readonly html: Buffer | undefined;
  readonly attachments: readonly Attachment[];
}

const MAX_ATTACHMENTS = 100;

export async function writeMail(mail: Mail, context: ReadContext): Promise<void> {
  const { out } = context;
  const subject = mail.subject.trim();
  out.heading(1, subject === "" ? "Mail" : subject);
  const head = { From: mail.from, To: mail.to, Cc: mail.cc, Date: mail.date };
  const lines = Object.entries(head).flatMap(([label, text]) =>
    text === "" ? [] : [`${label}: ${text}`],
  );
  out.paragraph(lines.join("\n"));
  await writeBody(mail, context);
  const attached = mail.attachments.slice(0, MAX_ATTACHMENTS);
  if (attached.length < mail.attachments.length)
    out.warn(toMessage("firstAttachments", attached.length));
  for (const each of attached) await readAttachment(context, each);
}

/** The same context for a part that is written into the mail's own page. */
export function quiet(context: ReadContext): ReadContext {
  return { ...context, out: { ...context.out, report: () => {} } };
}

/** The plain text is what its author saw; HTML is used only if there is no plain text. */
async function writeBody({ text, html }: Mail, context: ReadContext): Promise<void> {
  const plain = text.trim();
  if (plain !== "" || html === undefined) {
    for (const paragraph of plain.split(/\r?\n[ \t]*\r?\n/)) context.out.paragraph(paragraph);
    return;
  }
  await readHtml({ ...quiet(context), bytes: html, filename: "mail.html" });
}

async function readAttachment(
  { out, readPart }: ReadContext,
  { name, content }: Attachment,
): Promise<void> {
  out.heading(2, name);
  try {
    await readPart({ bytes: content(), filename: name });
  } catch (thrown) {
    if (!(thrown instanceof KnowledgeError)) throw thrown;
    out.warn(toMessage("attachmentNotRead", name, thrown.message));
  }
}
