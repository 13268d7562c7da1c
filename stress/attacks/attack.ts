// npm run attack: SIGTERM in every state of a server, a disk that turns read-only, and a storm of kills on PostgreSQL.
// Prints what was tried.
//   --only stops,read-only,storm   --count 3 (how often each)   --state "with a disk that hangs"   --seconds 60   --seed 1
import { parseArgs } from "node:util";
import { startPostgres } from "../../scripts/postgres.ts";
import { removeTempFolders } from "../../test/support/temp-folder.ts";
import { turnReadOnly } from "./read-only.ts";
import { DEADLINE_MS, STATES, stopIn } from "./stops.ts";
import { raiseStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "stops,read-only,storm" },
    count: { type: "string", default: "1" },
    state: { type: "string", multiple: true, default: Object.keys(STATES) },
    /** Of the storm. */
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
/** Each time a little later in the middle of the adds. */
const READ_ONLY_STEP_MS = 40;
const READ_ONLY_STEPS = 12;
const parts = values.only.split(",");
const failures: string[] = [];
const server = await startPostgres();
if (!server) process.exit(1);

for (let turn = 0; parts.includes("stops") && turn < Number(values.count); turn++) {
  for (const state of values.state) {
    const { ms, end } = await stopIn(state, server.url);
    print(`${state}: ${end} after ${ms} ms`);
    if (end === "never" || ms > DEADLINE_MS) failures.push(`SIGTERM ${state}: ${end}`);
  }
}
for (let turn = 0; parts.includes("read-only") && turn < Number(values.count); turn++) {
  const report = await turnReadOnly((turn % READ_ONLY_STEPS) * READ_ONLY_STEP_MS);
  print(`read-only: ${JSON.stringify(report)}`);
  failures.push(...report.problems);
}
if (parts.includes("storm")) {
  const options = { seconds: Number(values.seconds), seed: Number(values.seed) };
  const { problems, ...tried } = await raiseStorm(server, options);
  print(`storm: ${JSON.stringify(tried)}`);
  failures.push(...problems);
}
for (const each of failures) print(`VIOLATION ${each}`);
await server.stop();
removeTempFolders();
process.exit(failures.length === 0 ? 0 : 1);
