// One folder and one database for suites that run on both stores.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { tempFolder } from "./temp-folder.ts";
import { type TempDatabase, tempDatabase } from "./temp-postgres.ts";
import { openStoreHere } from "./temp-store.ts";

export type StoreKind = "sqlite" | "postgres";

/** Called at the top of a suite: makes both before its tests and removes them after. */
export function bothStores(name: string) {
  const made: { folder: string; database?: TempDatabase | undefined } = { folder: "" };
  beforeAll(async () => {
    made.folder = tempFolder(name);
    made.database = await tempDatabase();
  });
  afterAll(() => made.database?.drop());
  return {
    folder: (kind: StoreKind, ...names: readonly string[]) => join(made.folder, kind, ...names),
    open(kind: StoreKind): Store {
      const dataDir = join(made.folder, kind, "data");
      mkdirSync(dataDir, { recursive: true });
      const store = kind === "sqlite" ? openStoreHere(dataDir) : made.database?.open();
      if (store === undefined) throw new Error("no store");
      return store;
    },
    remove: (kind: StoreKind) => rmSync(join(made.folder, kind), { recursive: true, force: true }),
    skipWithout(kind: StoreKind, skip: (note: string) => void): void {
      const isMissing = kind === "postgres" && !made.database;
      if (isMissing) skip("no PostgreSQL, as was said on stderr");
    },
  };
}
