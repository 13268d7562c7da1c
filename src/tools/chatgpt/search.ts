import { type DocumentRooms, seenBy } from "../documents/family.ts";
import { defineTool, type Tool } from "../tool.ts";
import { SEARCH, toError, toUrl } from "./contract.ts";

// Passages; several may come from one document, which is shown once.
const MAX_PASSAGES = 30;
const MAX_RESULTS = 10;

export function search(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: SEARCH,
    title: "Search documents",
    family: "chatgpt",
    effect: "read",
    description:
      "Search the user's documents by words and by meaning. Returns the best matching documents; read one with fetch.",
    toError,
    run: async ({ query: text }, context) => {
      const { signal } = context;
      const seen = await seenBy(rooms, context);
      const { passages } = await (await seen.search()).search(
        { text, limit: MAX_PASSAGES },
        signal,
      );
      const found = new Map(
        passages.map(({ documentId, title, filename, metadata }) => [
          documentId,
          { id: documentId, title: title ?? filename, url: toUrl(documentId, metadata) },
        ]),
      );
      const payload = { results: [...found.values()].slice(0, MAX_RESULTS) };
      return { payload, structured: payload };
    },
  });
}
