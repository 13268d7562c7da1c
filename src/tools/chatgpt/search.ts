import { type DocumentRooms, seenBy } from "../documents/family.ts";
import { leaveOutWeak } from "../documents/weak-results.ts";
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
      const { search: find } = await (await seenBy(rooms, context)).search();
      const found = await find({ text, limit: MAX_PASSAGES }, context.signal);
      const { passages } = leaveOutWeak(found.passages, text);
      const documents = new Map(
        passages.map(({ documentId, title, filename, metadata }) => [
          documentId,
          { id: documentId, title: title ?? filename, url: toUrl(documentId, metadata) },
        ]),
      );
      rooms.shown.note([...documents.keys()].slice(0, MAX_RESULTS));
      const payload = { results: [...documents.values()].slice(0, MAX_RESULTS) };
      return { payload, structured: payload };
    },
  });
}
