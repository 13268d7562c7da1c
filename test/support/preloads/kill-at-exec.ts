// Kills its own process at its KILL_AT_EXECth statement of SQLite's `exec`, before it runs; else says how many there were.
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const at = Number(process.env["KILL_AT_EXEC"] ?? 0);
const { exec } = DatabaseSync.prototype;
const seen = { statements: 0 };

DatabaseSync.prototype.exec = function counted(this: DatabaseSync, sql: string) {
  seen.statements++;
  if (seen.statements === at) process.kill(process.pid, "SIGKILL");
  return exec.call(this, sql);
};
process.on("exit", () => writeSync(1, String(seen.statements)));
