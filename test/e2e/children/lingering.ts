// A program that does not end by itself, for the reason in its argument: how it ends shows whether the
// deadlines work.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs";
import { readFile as readLater } from "node:fs/promises";
import { join } from "node:path";
import { openStop } from "../../../src/cli/stop.ts";

const deadlines = { stopMs: 100, closeMs: 100, lingerMs: 100 };
const stop = openStop({ hurriedCode: 130, deadlines });
const never = new Promise<void>(() => {});
setInterval(() => {}, 60_000);
if (process.argv[2]?.startsWith("hangs")) {
  const pipe = join(process.cwd(), `${process.argv[2]}-${process.pid}`);
  execFileSync("mkfifo", [pipe]);
  // Nobody writes to it, so a thread of the pool waits in the operating system for ever.
  if (process.argv[2] === "hangs-later") void readLater(pipe);
  else readFile(pipe, () => {});
}
// As a call does that the operating system never returns from.
if (process.argv[2] === "freezes") {
  stop.signal.addEventListener("abort", () =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  );
}
process.stderr.write("ready\n");
if (["ignores", "freezes"].includes(process.argv.at(-1) ?? "")) await never;
await stop.end(7, async () => {
  if (process.argv[2] === "sticks") await never;
  return true;
});
