// Mail as Google Takeout and most programs export it: mailboxes, each mail a document with its thread.
import { createHash } from "node:crypto";
import { KnowledgeError } from "../../../domain/errors.ts";
import { isMailboxName } from "../../../domain/format-name.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { readMailHead } from "../../../extract/extract.ts";
import { collect } from "../../../files/collect.ts";
import { type Export, MAX_MAIL_BYTES } from "./files.ts";
import { type ExportReader, listed, once } from "./reader.ts";

export function isMail({ files }: Export): boolean {
  return files.some(({ name }) => isMailboxName(name));
}

/** Gmail exports what was deleted too, under its label in the person's language. */
const UNWANTED = new Set(["Spam", "Trash", "迷惑メール", "ゴミ箱"]);

export const mail: ExportReader = {
  hasAll: false,
  async *list({ files, mails }: Export) {
    for (const file of files.filter(({ name }) => isMailboxName(name))) {
      const { entries } = await mails(file);
      for (const { name: filename, sizeBytes, read } of entries) {
        if (sizeBytes > MAX_MAIL_BYTES) {
          const error = new KnowledgeError("EXTRACTION_LIMIT", toMessage("exportEntry"));
          const facts = { item: `mail:${filename}`, path: filename, version: String(sizeBytes) };
          yield { ...facts, read: () => Promise.reject(error) };
          continue;
        }
        const bytes = await collect(read());
        const { id, thread, from, date, labels } = await readMailHead(bytes);
        if (labels.some((label) => UNWANTED.has(label))) continue;
        const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
        const metadata = {
          ...{ tool: "mail", ...(from && { authors: [from] }), ...(thread && { thread }) },
          ...(labels.length > 0 && { labels: listed(labels) }),
        };
        const read_ = { filename, bytes: once(bytes), metadata, modified: date };
        yield { item: `mail:${id || version}`, path: filename, version, read: async () => read_ };
      }
    }
  },
};
