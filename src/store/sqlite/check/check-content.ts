// Finds damage that SQLite's own check cannot see: text that cannot be decompressed, or chunks that are not part of it.
import type { DatabaseSync } from "node:sqlite";
import { salvageDocuments } from "../repair/salvage.ts";
import { salvageContent, salvageIndex } from "../repair/salvage-content.ts";
import { salvageTasks } from "../repair/salvage-tasks.ts";

/** Empty if every document is intact. */
export function checkContent(database: DatabaseSync): readonly string[] {
  const documents = salvageDocuments(database);
  const index = salvageIndex(database);
  const broken = documents.found.filter((each) => {
    // A document that is still to be read has no chunks yet.
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
