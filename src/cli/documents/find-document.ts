import { KnowledgeError } from "../../domain/errors.ts";
import type { OpenToolbox } from "../command.ts";

export interface ListedDocument {
  readonly id: string;
  readonly filename: string;
  readonly format: string;
  readonly size_bytes: number;
  readonly date_added: string;
  readonly chunk_count: number;
  readonly processing_method: string;
  readonly title?: string;
}

export interface Listing {
  readonly documents: readonly ListedDocument[];
  readonly total_count: number;
  readonly message?: string;
}

export async function listDocuments(
  app: OpenToolbox,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Listing> {
  const { payload, isError } = await app.call("knowledge-show", args, { signal });
  if (!isError) return payload as Listing;
  const { message } = payload as { message: string };
  throw new KnowledgeError("INVALID_PARAMETER", message);
}

// Beyond so many documents people use whole ids.
const SEARCHED = 1000;

/** The document that a person means: by its id, the id's beginning, or its file's name. */
export async function findDocument(
  app: OpenToolbox,
  given: string,
  signal: AbortSignal,
): Promise<ListedDocument> {
  const { documents } = await listDocuments(app, { limit: SEARCHED }, signal);
  const exact = documents.filter(({ id, filename }) => id === given || filename === given);
  const meant = exact.length > 0 ? exact : documents.filter(({ id }) => id.startsWith(given));
  const [only] = meant;
  if (meant.length > 1) {
    const ids = meant.slice(0, 5).map(({ id, filename }) => `\n  ${id}  ${filename}`);
    throw new KnowledgeError("INVALID_PARAMETER", `'${given}' may mean any of:${ids.join("")}`);
  }
  if (only !== undefined) return only;
  const byId = await app.call("knowledge-show", { document_id: given }, { signal });
  if (!byId.isError) return (byId.payload as Listing).documents[0] as ListedDocument;
  throw new KnowledgeError(
    "DOCUMENT_NOT_FOUND",
    `There is no document '${given}'; 'knowledge-server show' lists them.`,
  );
}
