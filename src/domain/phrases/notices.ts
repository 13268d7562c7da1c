// Notices about the server's health, an answer, or an import of rules.
import { STORE_NOTICES } from "./store-notices.ts";

export const NOTICES = {
  /** A sentence without a code, such as the message of an unforeseen failure. */
  stated: "{0}",
  ...STORE_NOTICES,
  modelUnsupported:
    "The documents do not support what {0} said, so the answer quotes them instead.",
  modelSlow: "The answer quotes the documents, because {0} took too long.",
  modelFailed: "The answer quotes the documents, because {0} failed.",
  readByOcr:
    "Read by OCR from a scan or picture: letters and digits may be wrong. Check the original.",
  oneStale: "1 document is waiting to be embedded again; search finds it as it was",
  stale: "{0} documents are waiting to be embedded again; search finds them as they were",
  queueBlocked:
    "Adds have waited for {0} s: all workers are busy with {1}. Wait, or cancel one with `knowledge-server tasks --cancel`",
  lightMeanwhile: "Embedding model unavailable; search uses the light encoder meanwhile: {0}",
  wordsOnly: "Embedding model unavailable; search is by keyword only: {0}",
  auditRefuses:
    "The audit log cannot be written, so changes are refused; check --audit-file and its disk",
  auditDegraded:
    "The audit log cannot be written, so changes are not recorded; check --audit-file and its disk",
  tokensMissing:
    "The token file is missing or empty, so none of its tokens is accepted; check --token-file",
  tokensUnusable:
    "The token file cannot be used, so none of its tokens is accepted; `knowledge-server doctor` shows why",
  tokensPartly:
    "{0} of {1} entries in the token file cannot be used and are ignored; `knowledge-server doctor` shows which",
  scopesNamed:
    "Scope files name their own scopes, so --scope, --tier and --parent do not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; --guides includes it.",
  leftOut: "{0} Markdown files of the project are left out; --guides includes them.",
} as const;
