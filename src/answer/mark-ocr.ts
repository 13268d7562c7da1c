// Marks the citations whose text was read by OCR, and the words it was not sure of: nothing in the text shows them.
import type { PageReport, StoredDocument } from "../domain/document.ts";
import { isReadByOcr, uncertainWords } from "../domain/ocr-pages.ts";
import { toMessage } from "../domain/phrases/messages.ts";
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
  const mark = (citation: Citation): Citation => {
    const { content, location } = citation;
    const [id = ""] = toId(location["document_id"]);
    const own = pages.get(id) ?? [];
    if (!isRead(citation, own)) return citation;
    const { start } = location;
    const uncertain =
      typeof start === "number" ? uncertainWords(own, { text: content, start }) : [];
    const words = uncertain.length > 0 && { uncertain };
    return { ...citation, location: { ...location, ocr: true, ...words } };
  };
  const citations = outcome.citations.map(mark);
  const warns = outcome.grounded && citations.some(({ location }) => location["ocr"] === true);
  return {
    ...outcome,
    citations,
    related: outcome.related.map(mark),
    ...(warns && { warning: outcome.warning ?? toMessage("readByOcr") }),
  };
}

function toId(id: unknown): readonly string[] {
  return typeof id === "string" ? [id] : [];
}

function isRead({ location }: Citation, reports: readonly PageReport[]): boolean {
  const { page, until_page: until = page } = location;
  return typeof page === "number"
    ? isReadByOcr(reports, page, until as number)
    : isReadByOcr(reports);
}
