import { defineTool, type Tool } from "../../tool.ts";
import { KNOWLEDGE_ADD_URL } from "../contract.ts";
import { toError } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";
import { from, respondToAdd } from "./respond-to-add.ts";

export function knowledgeAddUrl(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: KNOWLEDGE_ADD_URL,
    title: "Add a web page",
    family: "documents",
    effect: "write",
    idempotent: true,
    startsTask: true,
    isOpenWorld: true,
    description:
      "Fetch a public web page, PDF or other file by its URL and add it to the knowledge base. " +
      "Returns the same as knowledge-add; search results show its url.",
    toError,
    run: async (args, context) => {
      const ingest = await rooms.ingest();
      const queued = await ingest.enqueue(
        { kind: "page", url: args.url, refresh: args.refresh },
        { metadata: args.metadata ?? {}, forceOcr: false, ...from(context) },
      );
      return respondToAdd({ queued, isAsync: args.async, rooms, context });
    },
  });
}
