// A process of its own that opens the database of the data folder DATA_DIR and brings its schema up to date, to a version
// that is made up.
import { SQLITE_MIGRATIONS } from "../../../src/store/schema.ts";
import { connect } from "../../../src/store/sqlite/connect.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";

export const MADE_UP =
  "CREATE TABLE made_up (doc INTEGER PRIMARY KEY); INSERT INTO made_up SELECT doc FROM documents;";

const dataDir = process.env["DATA_DIR"];
if (dataDir !== undefined) {
  const { connection } = connect(dataDir);
  migrate(connection, dataDir, [...SQLITE_MIGRATIONS, MADE_UP]);
  connection.close();
}
