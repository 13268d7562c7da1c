// A process that has a data folder open until it is killed: node hold-folder.ts DIR http|repair
import { lockExclusive, lockShared } from "../../../src/store/sqlite/folder/lock.ts";

const [dataDir = "", command = "http"] = process.argv.slice(2);
(command === "http" ? lockShared : lockExclusive)(dataDir, command);
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
