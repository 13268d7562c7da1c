// What ChatGPT asks of a source of knowledge, over the same documents: offered only where `--tools` names it.
import type { DocumentRooms } from "../documents/family.ts";
import type { Offer } from "../family.ts";
import { fetch } from "./fetch.ts";
import { search } from "./search.ts";

export function chatgptOffer(rooms: DocumentRooms): Offer {
  return {
    family: "chatgpt",
    instructions: "search, fetch: find the user's documents and read them whole.",
    tools: [search(rooms), fetch(rooms)],
  };
}
