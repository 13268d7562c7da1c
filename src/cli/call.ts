// Calls a tool by its contract: the result is typed by the contract and checked against it.
import type { KnowledgeError } from "../domain/errors.ts";
import { fromTaskFailure } from "../domain/task.ts";
import { type Contract, type Outcome, readOutput } from "../tools/contract.ts";
import {
  type DocumentList,
  type DocumentRow,
  KNOWLEDGE_SHOW,
  type Refused,
} from "../tools/documents/contract.ts";
import type { OpenToolbox } from "./command.ts";
import { refusal } from "./texts.ts";

export interface Call<Of extends Contract> {
  readonly contract: Of;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `payload` is exactly what the tool returned, for `--json`. */
export async function call<Of extends Contract>(
  app: OpenToolbox,
  { contract, args, signal }: Call<Of>,
): Promise<Outcome<Of> & { readonly payload: unknown }> {
  const output = await app.call(contract.name, args, { signal });
  return { ...readOutput(contract, output), payload: output.structured ?? output.payload };
}

/** The same for a tool whose refusal ends the command. */
export async function succeed<Of extends Contract>(app: OpenToolbox, asked: Call<Of>) {
  const outcome = await call(app, asked);
  if (outcome.kind === "done") return outcome;
  // Every tool that the command line calls by this refuses in the form of the documents family.
  throw toError(KNOWLEDGE_SHOW.failure.parse(outcome.error));
}

/** Its code decides the exit code. */
export function toError({ error, message }: Pick<Refused, "error" | "message">): KnowledgeError {
  return fromTaskFailure({ error, message });
}

/** The tool's message names another tool; a person needs the command. */
export function noDocuments(): KnowledgeError {
  return refusal("EMPTY_KNOWLEDGE_BASE", EMPTY_BASE);
}

export const EMPTY_BASE =
  "The knowledge base is empty. Add files to it: knowledge-server add PATH…";

/** The only match, if there is one. */
export function onlyOne<Row>(
  given: string,
  matches: readonly Row[],
  describe: (row: Row) => string,
): Row | undefined {
  if (matches.length < 2) return matches[0];
  const shown = matches.slice(0, 5).map((row) => `\n  ${describe(row)}`);
  throw refusal("INVALID_PARAMETER", "'{0}' is ambiguous. It matches:{1}", given, shown.join(""));
}

export async function listDocuments(
  app: OpenToolbox,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<DocumentList> {
  return (await succeed(app, { contract: KNOWLEDGE_SHOW, args, signal })).value;
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
  const found =
    onlyOne(given, meant, ({ id, filename }) => `${id}  ${filename}`) ??
    (await describeDocument(app, given, signal));
  if (found !== undefined) return found;
  throw refusal(
    "DOCUMENT_NOT_FOUND",
    "There is no document '{0}'. Run 'knowledge-server show' to list them.",
    given,
  );
}

/** With metadata, pages and warnings; undefined if the document does not exist. */
export async function describeDocument(
  app: OpenToolbox,
  documentId: string,
  signal: AbortSignal,
): Promise<DocumentRow | undefined> {
  const args = { document_id: documentId };
  const outcome = await call(app, { contract: KNOWLEDGE_SHOW, args, signal });
  return outcome.kind === "done" ? outcome.value.documents[0] : undefined;
}
