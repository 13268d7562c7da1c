// A rebuilt database takes over the folder of originals that it was rebuilt from.
import type { Database } from "./database.ts";
import { inheritedIdentity } from "./identity.ts";

/** Only after every file in the folder was taken in: from now on, files that nothing refers to may be moved. */
export function adoptOriginals(database: Database, dataDir: string): void {
  const { id } = inheritedIdentity(dataDir);
  database.write(() =>
    database.run("UPDATE identity SET id = ?, created_by = '', claim = 'new'", id),
  );
}
