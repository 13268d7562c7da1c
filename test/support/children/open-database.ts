// A process of its own that opens the store at DATABASE_URL, which brings the schema up to date.
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import { silentLog } from "../silent-log.ts";

const store = openPostgres({
  url: process.env["DATABASE_URL"] ?? "",
  log: silentLog(),
  poolSize: 1,
  connectTimeoutMs: 60_000,
  retryForMs: 60_000,
});
await store.documents.totals();
await store.close();
