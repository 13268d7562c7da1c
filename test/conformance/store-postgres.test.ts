import { describe } from "vitest";
import { tempDatabase } from "../support/temp-postgres.ts";
import { storeSuite } from "./store.suite.ts";

const database = await tempDatabase();

describe.skipIf(!database)("on a real server", () => {
  storeSuite("postgres", async () => {
    if (!database) throw new Error("no database");
    const store = database.open();
    return {
      store,
      another: async () => database.open(),
      async dispose() {
        await store.close();
        await database.drop();
      },
    };
  });
});
