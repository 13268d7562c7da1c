// What the server notes of its own health, of an answer, and of an import of rules.
import { openPhrases } from "./phrases.ts";
import { STORE_NOTICES } from "./store-notices.ts";

export const NOTICES = {
  ...STORE_NOTICES,
  oneStale: "1 document is waiting to be embedded again; search finds it as it was",
  stale: "{0} documents are waiting to be embedded again; search finds them as they were",
  lightMeanwhile: "Embedding model unavailable; search uses the light encoder meanwhile: {0}",
  wordsOnly: "Embedding model unavailable; search is by keyword only: {0}",
  auditRefuses:
    "The audit log cannot be written, so changes are refused; check --audit-file and its disk",
  auditDegraded:
    "The audit log cannot be written, so changes leave no line; check --audit-file and its disk",
  modelUnsupported: "The documents support nothing that {0} said; the answer quotes them instead.",
  modelSlow: "The answer quotes the documents, not {0}: it took too long.",
  modelFailed: "The answer quotes the documents, not {0}: it could not be asked.",
  readByOcr:
    "Read by OCR from a scan or picture: letters and digits may be wrong. Check the original.",
  scopesNamed:
    "Scope files name their own scopes: --scope, --tier and --parent change nothing in them.",
  oneLeftOut: "1 Markdown file of the project is left out; --guides takes it too.",
  leftOut: "{0} Markdown files of the project are left out; --guides takes them too.",
} as const;

export type Notice = keyof typeof NOTICES;

export const { describe: describeNotice, read: readNotice } = openPhrases<Notice>(NOTICES);
