// What ChatGPT asks of a source of knowledge, over the same documents: offered only where `--tools` names it.
import type { DocumentRooms } from "../documents/family.ts";
import type { ToolFamily } from "../family.ts";
import { fetch } from "./fetch.ts";
import { search } from "./search.ts";

export function chatgptFamily(rooms: DocumentRooms): ToolFamily {
  return {
    name: "chatgpt",
    instructions: "search, fetch: find the user's documents and read them whole.",
    tools: [search(rooms), fetch(rooms)],
  };
}
