// What SQLite's own check cannot see: a text that no longer unpacks, or chunks that are not part of their text.
import type { DatabaseSync } from "node:sqlite";
import { salvageDocuments } from "../repair/salvage.ts";
import { salvageContent, salvageIndex } from "../repair/salvage-content.ts";
import { salvageTasks } from "../repair/salvage-tasks.ts";

/** Empty when every document is stored as it was written. */
export function checkContent(database: DatabaseSync): readonly string[] {
  const documents = salvageDocuments(database);
  const index = salvageIndex(database);
  const broken = documents.found.filter((each) => {
    // One that waits to be read has none yet.
    const { chunkCount } = each.document;
    return chunkCount > 0 && salvageContent(database, each, index)?.isIndexed !== true;
  });
  return [
    ...describe(broken.length + documents.unreadable, "documents are not stored as written"),
    ...describe(salvageTasks(database).unreadable, "tasks are not stored as written"),
  ];
}

function describe(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
