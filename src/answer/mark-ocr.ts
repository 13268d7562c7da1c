// Marks the citations whose text was read by OCR: it may be misread, and nothing in the text shows it.
import type { PageReport, StoredDocument } from "../domain/document.ts";
import { isReadByOcr } from "../domain/ocr-pages.ts";
import { describeNotice } from "../domain/phrases/notices.ts";
import type { AnswerOutcome, Citation } from "./answer.ts";

/** What the store has about a document in addition to its text. */
export interface PageSource {
  get(id: string): Promise<Pick<StoredDocument, "pages"> | undefined>;
}

export async function markOcr(outcome: AnswerOutcome, source: PageSource): Promise<AnswerOutcome> {
  const all = [...outcome.citations, ...outcome.related];
  const ids = [...new Set(all.flatMap(({ location }) => toId(location["document_id"])))];
  const stored = await Promise.all(ids.map(async (id) => [id, await source.get(id)] as const));
  const pages = new Map(stored.map(([id, document]) => [id, document?.pages ?? []]));
  const mark = (citation: Citation) =>
    isRead(citation, pages)
      ? { ...citation, location: { ...citation.location, ocr: true } }
      : citation;
  const citations = outcome.citations.map(mark);
  const warns = outcome.grounded && citations.some(({ location }) => location["ocr"] === true);
  return {
    ...outcome,
    citations,
    related: outcome.related.map(mark),
    ...(warns && { warning: outcome.warning ?? describeNotice("readByOcr") }),
  };
}

function toId(id: unknown): readonly string[] {
  return typeof id === "string" ? [id] : [];
}

function isRead(
  { location }: Citation,
  reports: ReadonlyMap<string, readonly PageReport[]>,
): boolean {
  const [id] = toId(location["document_id"]);
  const own = (id === undefined ? undefined : reports.get(id)) ?? [];
  const { page, until_page: until = page } = location;
  return typeof page === "number" ? isReadByOcr(own, page, until as number) : isReadByOcr(own);
}
