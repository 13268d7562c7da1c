// Every promise of the store holds while other processes are in the way: SQLite refuses each call once.
import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreHere } from "../support/temp-store.ts";
import { refuseOnce } from "./refuse-once.ts";
import { storeSuite } from "./store.suite.ts";

const refusing = refuseOnce("knowledge.db");
afterAll(refusing.stop);

const SKIPPED = {
  "a chain may leave out what the caller knows":
    "while the database is locked the reading thread is asked, which does not know what the caller knows",
};

async function openBusyStore() {
  const dataDir = tempFolder("busy");
  const opened: Store[] = [];
  const open = (): Store => {
    const store = openStoreHere(dataDir);
    opened.push(store);
    return store;
  };
  return {
    store: open(),
    another: async () => open(),
    async dispose() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

storeSuite("sqlite, each call refused once", openBusyStore, SKIPPED);

test("calls were refused", () => {
  expect(refusing.count()).toBeGreaterThan(1_000);
});
