import { KnowledgeError } from "../../domain/errors.ts";
import {
  type DocumentList,
  type DocumentRow,
  KNOWLEDGE_SHOW,
} from "../../tools/documents/contract.ts";
import { call } from "../call.ts";
import type { OpenToolbox } from "../command.ts";
import { toError } from "../terminal/to-error.ts";

export async function listDocuments(
  app: OpenToolbox,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<DocumentList> {
  const outcome = await call(app, { contract: KNOWLEDGE_SHOW, args, signal });
  if (outcome.kind === "done") return outcome.value;
  throw toError(outcome.error);
}

// People with more documents than this use whole ids.
const SEARCHED = 1000;

/** Finds a document by id, by the start of its id, or by file name. */
export async function findDocument(
  app: OpenToolbox,
  given: string,
  signal: AbortSignal,
): Promise<DocumentRow> {
  const { documents } = await listDocuments(app, { limit: SEARCHED }, signal);
  const exact = documents.filter(({ id, filename }) => id === given || filename === given);
  const meant = exact.length > 0 ? exact : documents.filter(({ id }) => id.startsWith(given));
  const [only] = meant;
  if (meant.length > 1) {
    const ids = meant.slice(0, 5).map(({ id, filename }) => `\n  ${id}  ${filename}`);
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      `'${given}' is ambiguous. It matches:${ids.join("")}`,
    );
  }
  if (only !== undefined) return only;
  const [byId] = await describeDocument(app, given, signal);
  if (byId !== undefined) return byId;
  throw new KnowledgeError(
    "DOCUMENT_NOT_FOUND",
    `There is no document '${given}'. Run 'knowledge-server show' to list them.`,
  );
}

/** Includes metadata, pages and warnings; empty if the document does not exist. */
export async function describeDocument(
  app: OpenToolbox,
  documentId: string,
  signal: AbortSignal,
): Promise<readonly DocumentRow[]> {
  const args = { document_id: documentId };
  const outcome = await call(app, { contract: KNOWLEDGE_SHOW, args, signal });
  return outcome.kind === "done" ? outcome.value.documents : [];
}
