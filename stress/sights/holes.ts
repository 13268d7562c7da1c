// Planted faults: one way to the data forgets what the caller may see.
import type { Sight } from "../../src/domain/call/sight.ts";
import type { DocumentStore, Store, TaskStore } from "../../src/store/store.ts";

/** Those that a caller's words or ids lead to. The rest takes keys or documents that these have found. */
const DOCUMENT_WAYS = [
  ...["get", "list", "extracted", "totals", "knownKeys"],
  ...["lexical", "nearestWithChunks", "similarTerms", "termsStartingWith", "termStatistics"],
] as const satisfies readonly (keyof DocumentStore)[];

const TASK_WAYS = ["get", "list", "counts"] as const satisfies readonly (keyof TaskStore)[];

export type Hole =
  | { readonly room: "documents"; readonly way: (typeof DOCUMENT_WAYS)[number] }
  | { readonly room: "tasks"; readonly way: (typeof TASK_WAYS)[number] }
  /** Sources look as if they were everybody's. */
  | { readonly room: "sources"; readonly way: "list" }
  /** Everything of a scope that the caller may not read. */
  | { readonly room: "scope"; readonly way: string };

export const HOLES: readonly Hole[] = [
  ...DOCUMENT_WAYS.map((way) => ({ room: "documents", way }) as const),
  ...TASK_WAYS.map((way) => ({ room: "tasks", way }) as const),
  { room: "sources", way: "list" },
  { room: "scope", way: "s0" },
];

export function plantHole({ room, way }: Hole): (store: Store) => Store {
  return (all) => {
    const documents = (seen: DocumentStore): DocumentStore => ({
      ...seen,
      ...(room === "documents" && { [way]: all.documents[way] }),
    });
    const tasks = (seen: TaskStore): TaskStore => ({
      ...seen,
      ...(room === "tasks" && { [way]: all.tasks[way] }),
    });
    const wider = (sight: Sight) => (room === "scope" ? [...sight, way] : sight);
    const everybodys = async () =>
      (await all.sources.list()).map(({ settings: { scope: _, ...settings }, ...source }) => {
        return { ...source, settings };
      });
    return {
      ...all,
      ...(room === "sources" && { sources: { ...all.sources, list: everybodys } }),
      documents: {
        ...all.documents,
        seenBy: (sight) => documents(all.documents.seenBy(wider(sight))),
      },
      seenBy: (sight) => {
        const seen = all.seenBy(wider(sight));
        return { ...seen, documents: documents(seen.documents), tasks: tasks(seen.tasks) };
      },
    };
  };
}
