// Groups hits by document, in the order of each document's best; weak ones are kept apart.
import type { SearchResult } from "../../../tools/documents/contract.ts";

export interface Group {
  readonly id: string;
  readonly filename: string;
  readonly title?: string;
  readonly format: string;
  /** The best hit comes first; never empty. */
  readonly hits: readonly [SearchResult, ...SearchResult[]];
}

/** As people call the document. */
export function nameOf({ title, filename }: Pick<Group, "title" | "filename">): string {
  return title ?? filename;
}

export function groupHits(results: readonly SearchResult[]) {
  const isWeak = ({ strength }: SearchResult) => strength === "weak";
  return {
    good: byDocument(results.filter((hit) => !isWeak(hit))),
    weak: byDocument(results.filter(isWeak)),
  };
}

function byDocument(hits: readonly SearchResult[]): readonly Group[] {
  const groups = new Map<string, [SearchResult, ...SearchResult[]]>();
  for (const hit of hits) {
    const known = groups.get(hit.document_id);
    if (known) known.push(hit);
    else groups.set(hit.document_id, [hit]);
  }
  return [...groups].map(([id, found]) => {
    const [first] = found;
    // The title comes with only one hit of each document, whichever was first.
    const title = found.find(({ metadata }) => metadata.title !== undefined)?.metadata.title;
    return {
      id,
      filename: first.filename,
      format: first.metadata.format,
      hits: found,
      ...(title === undefined || title === first.filename ? {} : { title }),
    };
  });
}
