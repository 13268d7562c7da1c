// The rooms that the tools work on: the store, and over it documents, rules and answers. Each opens on first use.
import { type Answerer, openAnswer } from "./answer/answer.ts";
import type { Config } from "./config/config.ts";
import { type DocumentParts, openDocuments } from "./document-rooms.ts";
import { chosenOf } from "./domain/family.ts";
import type { Lazy } from "./lazy.ts";
import type { Scopes } from "./scopes/scopes.ts";
import { openStore } from "./stores.ts";
import type { DocumentRooms } from "./tools/documents/family.ts";

export interface AppRooms {
  readonly documents: DocumentRooms;
  readonly scopes: Lazy<Scopes>;
  readonly answers: Answerer;
}

/** The commands that read once and end, and the one whose client waits for its first search. */
const READS: Readonly<Record<string, "once" | "soon">> = {
  search: "once",
  answer: "once",
  stdio: "soon",
};

export function openAppRooms(config: Config, parts: Omit<DocumentParts, "store">): AppRooms {
  const { lazy, log, tracing, command } = parts;
  const reads = READS[command];
  const store = lazy("store", () => openStore(config, log, { reads }));
  if (reads === "soon" && isSearchedHere(config)) store().catch(() => undefined);
  const scopes = lazy("scopes", async () => {
    const { openScopes } = await import("./scopes/scopes.ts");
    return openScopes({ store: (await store()).scopes, log });
  });
  const documents = openDocuments(config, { ...parts, store });
  const answers = openAnswer(config, {
    search: documents.search,
    reading: async () => ({
      documents: (await store()).documents,
      encode: (await (await documents.embed()).light?.load().catch(() => undefined))?.encode,
    }),
    traceHeaders: tracing.headers,
    log,
  });
  return { documents, scopes, answers };
}

/** Its thread takes as long to start as the protocol takes to load, so both happen at once. */
function isSearchedHere({ databaseUrl, tools }: Config): boolean {
  return databaseUrl === undefined && chosenOf("documents", tools) !== "none";
}
