// A process of its own that opens the store at DATABASE_URL, which brings the schema up to date.
import { openLog } from "../../../src/observe/log.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";

const store = openPostgres({
  url: process.env["DATABASE_URL"] ?? "",
  log: openLog({ level: "silent" }),
  poolSize: 1,
});
await store.documents.totals();
await store.close();
