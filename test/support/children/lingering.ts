// A program that does not end by itself, for the reason in its argument: how it ends shows whether the
// deadlines work.
import { openStop } from "../../../src/stop.ts";

const deadlines = { stopMs: 100, closeMs: 100, lingerMs: 100 };
const stop = openStop({ hurriedCode: 130, deadlines });
const never = new Promise<void>(() => {});
setInterval(() => {}, 60_000);
process.stderr.write("ready\n");
if (process.argv[2] === "ignores") await never;
await stop.end(7, async () => {
  if (process.argv[2] === "sticks") await never;
  return true;
});
