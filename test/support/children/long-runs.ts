// Runs every text function on every long run and says of each which CPU time it took. A process of its own: one that
// never comes back can be ended, and is known by the last line.
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
      // A refusal is an answer; what counts is when it comes.
    }
    const { user } = process.cpuUsage(before);
    process.stdout.write(`\t${Math.round(user / 1000)}\n`);
  }
}
