// The tools that ChatGPT expects, over the same documents: offered only if `--tools` names them.
import type { DocumentRooms } from "../documents/family.ts";
import type { ToolFamily } from "../family.ts";
import { fetch } from "./fetch.ts";
import { search } from "./search.ts";

export function chatgptFamily(rooms: DocumentRooms): ToolFamily {
  return {
    name: "chatgpt",
    instructions: "search, fetch: find the user's documents and read their whole text.",
    tools: [search(rooms), fetch(rooms)],
  };
}
