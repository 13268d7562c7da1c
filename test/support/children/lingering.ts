// A program that forgot to close something: how it ends says whether the deadline holds.
import { openStop } from "../../../src/stop.ts";

const stop = openStop({ hurriedCode: 130 });
setInterval(() => {}, 60_000);
process.stderr.write("ready\n");
await stop.end(7, async () => {});
