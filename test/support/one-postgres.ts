// One PostgreSQL for all test files of a run, each with a database of its own on it. Files that stop the server start
// their own.
import { startPostgres } from "../../scripts/postgres.ts";

/** The URL of the run's server, for the processes that run the tests. */
export const SHARED = "KNOWLEDGE_TEST_SHARED_POSTGRES";

export default async function onePostgres() {
  if (process.env[SHARED]) return undefined;
  const server = await startPostgres();
  if (!server) return undefined;
  process.env[SHARED] = server.url;
  return () => server.stop();
}
