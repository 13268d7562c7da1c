// Pages of HTML from the texts of the retrieval sets, as many megabytes as are asked for. No two are the same.
import { join } from "node:path";
import { readRetrievalSet } from "./retrieval-set.ts";

const SETS = ["tech-claude-docs", "squad-v2.0-dev", "cranfield", "ja-ameba-faq"];
/** Of an ordinary page of documentation. */
const PAGE_CHARACTERS = 20_000;

interface Section {
  readonly title: string;
  readonly text: string;
}

export function* htmlPages(dataDir: string, megabytes: number): Generator<string> {
  const sections = SETS.flatMap((set) =>
    readRetrievalSet(join(dataDir, "retrieval"), set, 1).corpus.map(
      ({ title = "", text }): Section => ({ title, text }),
    ),
  );
  let written = 0;
  for (let at = 0; written < megabytes * 1e6; ) {
    const page: Section[] = [];
    for (let size = 0; size < PAGE_CHARACTERS; at++) {
      const section = sections[at % sections.length] as Section;
      page.push(section);
      size += section.text.length;
    }
    const html = toHtml(page, at);
    written += Buffer.byteLength(html);
    yield html;
  }
}

function toHtml(sections: readonly Section[], number: number): string {
  const body = sections.map(({ title, text }, place) => {
    const paragraphs = text.split(/\n{2,}/).map((each) => `<p>${escaped(each)}</p>`);
    return `<section id="s${place}"><h2>${escaped(title || `Section ${place}`)}</h2>${paragraphs.join("\n")}</section>`;
  });
  const title = `Page ${number}: ${sections[0]?.title ?? ""}`;
  return `<!doctype html><html><head><title>${escaped(title)}</title></head><body><nav><a href="/">Home</a></nav><main><h1>${escaped(title)}</h1>${body.join("\n")}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
