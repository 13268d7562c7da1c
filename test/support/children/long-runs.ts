// Runs every text function on every long run and prints the CPU time of each. A separate process, so that one that
// never returns can be killed and is identified by the last line.
import { longRuns } from "../long-runs.ts";
import { TEXT_FUNCTIONS } from "../text-functions.ts";

const [, , characters = "", all = ""] = process.argv;

for (const [run, text] of longRuns(Number(characters), all === "all")) {
  for (const [name, work] of Object.entries(TEXT_FUNCTIONS)) {
    process.stdout.write(`${name} on ${run}`);
    const before = process.cpuUsage();
    try {
      await work(text);
    } catch {
      // An error is fine; only the time counts.
    }
    const { user } = process.cpuUsage(before);
    process.stdout.write(`\t${Math.round(user / 1000)}\n`);
  }
}
