// Suggests questions, made from the headings of the newest documents.
import type { DocumentRow, DocumentView } from "../../../tools/documents/contract.ts";
import { call, readJson } from "../state/mcp.ts";

const LOOKED_AT = 20;
const READ = 5;
const PER_DOCUMENT = 2;
const SHOWN = 6;
// A view contains a document's whole text, and a larger one is not worth the wait for a suggestion.
const SMALL_CHUNKS = 150;
// Their headings are sheet names, which nobody asks about.
const SHEETS: ReadonlySet<string> = new Set(["xlsx", "ods", "csv"]);

export async function ownHeadings(signal: AbortSignal): Promise<readonly string[]> {
  const { documents } = await call("knowledge-show", { limit: LOOKED_AT }, signal);
  const small = documents.filter(
    ({ chunk_count, format }) => chunk_count <= SMALL_CHUNKS && !SHEETS.has(format),
  );
  const rich = [...small].sort((a, b) => b.chunk_count - a.chunk_count).slice(0, READ);
  const lists = await Promise.all(rich.map((row) => headingsOf(row, signal)));
  const titles = documents.flatMap(({ title }) => (title === undefined ? [] : [clean(title)]));
  return [...new Set([...lists.flat(), ...titles])].slice(0, SHOWN);
}

async function headingsOf({ id }: DocumentRow, signal: AbortSignal): Promise<readonly string[]> {
  const view = await readJson<DocumentView>(`knowledge://documents/${id}/passages`, signal);
  const all = view.passages.flatMap(({ headings }) => headings.slice(-1));
  return pickHeadings(all).slice(0, PER_DOCUMENT);
}

/** Picks headings that make a question, neither a number nor half a page, spread over the document. */
export function pickHeadings(all: readonly string[]): readonly string[] {
  const fit = [...new Set(all.map(clean))].filter(
    (heading) => heading.length >= 3 && heading.length <= 60 && /\p{L}{2}/u.test(heading),
  );
  const step = Math.max(1, Math.floor(fit.length / PER_DOCUMENT));
  return fit.filter((_, at) => at % step === 0);
}

function clean(heading: string): string {
  return heading
    .replace(/[*_`#]/g, "")
    .replace(/^[\p{Nd}.．、)）\s]+/u, "")
    .trim();
}
