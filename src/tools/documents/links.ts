// Links from a result to what a model can look at besides.
import type { ResourceLink } from "../contract.ts";
import { isSeen } from "./page-views.ts";
import { imageUri, PNG } from "./see-page.ts";
import { documentUri } from "./tool.ts";

interface Linked {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly filename: string;
  readonly format: string;
}

// Clients pass links on to the model, which already has every document's id, so a few are enough.
const MAX_LINKS = 3;

/** One per document: the image of the passage where there is one, else the whole text. */
export function toLinks(passages: readonly Linked[]): readonly ResourceLink[] {
  const firsts = new Map(passages.toReversed().map((each) => [each.document_id, each]));
  const links = passages
    .filter((each) => firsts.get(each.document_id) === each)
    .map(({ document_id, chunk_id, filename: name, format }) =>
      isSeen(format)
        ? { uri: imageUri(document_id, chunk_id), name, mimeType: PNG }
        : { uri: documentUri(document_id), name },
    );
  return links.slice(0, MAX_LINKS);
}
