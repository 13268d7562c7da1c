// A process of its own that opens the data folder DATA_DIR in its main thread, which brings the schema up to date.
import { openDatabase } from "../../../src/store/sqlite/database.ts";

openDatabase(process.env["DATA_DIR"] ?? "").close();
