// npm run faults: makes every disk call of every operation fail, in each way; then cuts the power
// after every call of a recorded session. Prints what was tried.
//   --only add,replace,power   --every 7 (each seventh case)   --lanes 2   --seed 1
import { parseArgs } from "node:util";
import { buildFaultyDisk } from "../../scripts/faulty-disk.ts";
import { type Bench, openBench } from "./bench.ts";
import { describeCase, type FaultCase, findCases, tryCase } from "./cases.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { cutPower } from "./power-cuts.ts";
import { record } from "./recording.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: [...OPERATIONS, "power"].join(",") },
    every: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const library = buildFaultyDisk();
if (library === undefined) process.exit(1);

const sum = { tried: 0, missed: 0, cuts: 0, violations: 0, points: new Set<string>() };

async function tryAll(operation: Operation, benches: readonly [Bench, ...Bench[]]): Promise<void> {
  const all = await findCases(benches[0], operation);
  const cases = all.filter((_, at) => at % Number(values.every) === 0);
  const before = sum.tried;
  const lane = async (bench: Bench) => {
    for (let next = cases.shift(); next; next = cases.shift())
      note(next, await tryCase(bench, next));
  };
  await Promise.all(benches.map(lane));
  print(`${operation}: ${sum.tried - before} faults tried`);
}

function note(each: FaultCase, { fired, problems }: Awaited<ReturnType<typeof tryCase>>): void {
  if (!fired) {
    sum.missed += 1;
    return;
  }
  sum.tried += 1;
  sum.points.add(`${each.operation} ${each.at}`);
  if (problems.length === 0) return;
  sum.violations += 1;
  print(`VIOLATION ${describeCase(each)}`);
  for (const problem of new Set(problems)) print(`  ${problem}`);
}

async function cutAll(bench: Bench): Promise<void> {
  const recording = await record(bench);
  const options = { every: Number(values.every), seed: Number(values.seed) };
  for await (const { call, cut, problems } of cutPower(bench, recording, options)) {
    sum.cuts += 1;
    if (problems.length === 0) continue;
    sum.violations += 1;
    print(`VIOLATION power cut after call ${call}, names ${cut.names}, data ${cut.data}`);
    for (const problem of new Set(problems)) print(`  ${problem}`);
  }
  print(`power: ${sum.cuts} disks after a cut, at ${recording.changes.length} changes`);
}

const open = Array.from({ length: Number(values.lanes) }, () => openBench(library));
const benches = (await Promise.all(open)) as [Bench, ...Bench[]];
for (const each of values.only.split(",")) {
  if (each === "power") await cutAll(benches[0]);
  else await tryAll(each as Operation, benches);
}
print(
  `${sum.points.size} fault points, ${sum.tried} faults tried, ${sum.missed} not reached, ${sum.cuts} power cuts, ${sum.violations} violations`,
);
for (const bench of benches) bench.close();
process.exit(sum.violations === 0 ? 0 : 1);
