// The store's writing thread hangs at its first transaction, in a call that nothing inside the process can interrupt,
// as on a disk that no longer responds. The file STUCK_FILE says that it does.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";

const file = process.env["STUCK_FILE"] ?? "";
const { exec } = DatabaseSync.prototype;

if ((workerData as { readonly role?: string } | null)?.role === "write") {
  DatabaseSync.prototype.exec = function execOrHang(sql: string) {
    if (sql === "BEGIN IMMEDIATE") {
      writeFileSync(file, "");
      spawnSync("sleep", ["60"]);
    }
    return exec.call(this, sql);
  };
}
