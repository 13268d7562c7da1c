import { KNOWLEDGE_ADD_URL } from "./contract.ts";
import { respondToAdd } from "./respond-to-add.ts";
import { type DocumentRooms, documentsTool } from "./tool.ts";

export function knowledgeAddUrl(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_ADD_URL,
    title: "Add a web page",
    effect: "write",
    idempotent: true,
    startsTask: true,
    isOpenWorld: true,
    description:
      "Fetch a public web page, PDF or other file by its URL and add it to the knowledge base. " +
      "Returns the same as knowledge-add; search results show its url.",
    run: (args, context, seen) => {
      const source = { kind: "page", url: args.url, refresh: args.refresh } as const;
      return respondToAdd(seen, source, { args, context });
    },
  });
}
