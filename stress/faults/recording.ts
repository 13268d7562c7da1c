// A session on a healthy disk, recorded call by call, with what was acknowledged when.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openRandom } from "../fuzz/random.ts";
import type { Bench } from "./bench.ts";
import { type DiskChange, readDiskLog } from "./disk-control.ts";
import { type DiskImage, openDiskImage } from "./disk-image.ts";
import type { Said } from "./operate.ts";
import { AFTER, BASE, type Knowledge, type Operation, textOf } from "./operations.ts";

/** The operations, and what the knowledge base holds after each. */
const SESSION: readonly (readonly [Operation, Knowledge])[] = [
  ["add", AFTER.add],
  ["replace", hold({ ...AFTER.add.documents, "apple.txt": textOf("apple", 2) }, BASE.rule)],
  ["rule", hold({ ...AFTER.add.documents, "apple.txt": textOf("apple", 2) }, "rule 2")],
  ["remove", hold(beforeClear(), "rule 2")],
  ["work", hold(beforeClear(), "rule 2")],
  ["backup", hold(beforeClear(), "rule 2")],
  ["clear", hold({}, "rule 2")],
  ["enqueue", hold({ "fir.txt": textOf("fir") }, "rule 2")],
  ["restore", hold({ "fir.txt": textOf("fir") }, "rule 2")],
  ["first", hold({ "fir.txt": textOf("fir") }, "rule 2")],
];

function hold(documents: Knowledge["documents"], rule: string): Knowledge {
  return { documents, rule };
}

function beforeClear(): Knowledge["documents"] {
  return { ...AFTER.remove.documents, "fir.txt": textOf("fir"), "apple.txt": textOf("apple", 2) };
}

export interface Step {
  readonly operation: Operation;
  readonly before: Knowledge;
  readonly after: Knowledge;
  /** Its first call, and the calls by which its task and the whole operation were acknowledged. */
  readonly begins: number;
  readonly queued: number;
  readonly done: number;
}

/** The changes of one operation, counted from one. */
export function changesOf({ steps, changes }: Recording, operation: Operation) {
  const index = steps.findIndex((step) => step.operation === operation);
  const begins = steps[index]?.begins ?? 0;
  const ends = steps[index + 1]?.begins ?? Number.POSITIVE_INFINITY;
  return changes
    .filter(({ call }) => call >= begins && call < ends)
    .map(({ call, kind }) => ({ call: call - begins + 1, kind }));
}

export interface Recording {
  readonly changes: readonly DiskChange[];
  readonly steps: readonly Step[];
  /** The folder at the start of the recording. */
  image(): DiskImage;
}

export async function record(bench: Bench): Promise<Recording> {
  const log = join(bench.top, "session.log");
  bench.reset();
  bench.control.disarm();
  const start = () => openDiskImage(bench.place.disk);
  const first = start();
  const steps: Step[] = [];
  let [before, begins] = [BASE as Knowledge, 1];
  for (const [operation, after] of SESSION) {
    const { said } = await bench.perform(operation, log);
    const at = (kind: Said["kind"]) => said.find((each) => each.kind === kind)?.calls;
    const done = at("done");
    if (done === undefined) throw new Error(`${operation}: ${JSON.stringify(said)}`);
    steps.push({ operation, before, after, begins, queued: at("queued") ?? done, done });
    before = after;
    begins = bench.control.counts().calls + 1;
  }
  const changes = readDiskLog(log);
  expectComplete(first, changes, bench.place.disk);
  // Cases that were run meanwhile leave their own files.
  const image = () => {
    bench.reset();
    return start();
  };
  return { changes, steps, image };
}

/** No call was missed: replaying all recorded changes produces the folder as it is. */
function expectComplete(image: DiskImage, changes: readonly DiskChange[], disk: string): void {
  for (const change of changes) image.change(change);
  const made = image.cut({ names: "written", data: "written" }, openRandom(0));
  const files = readdirSync(disk, { recursive: true, withFileTypes: true });
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const differs = (path: string) => {
    const bytes = made.get(path);
    return bytes instanceof Buffer && !bytes.equals(readFileSync(path));
  };
  // SQLite writes its shared memory through a mapping, which cannot be recorded; it is never read back.
  const wrong = paths.filter((path) => !path.endsWith("-shm") && differs(path));
  if (wrong.length > 0 || !isDeepStrictEqual([...made.keys()].sort(), paths))
    throw new Error(`The record is not complete: ${wrong.join(", ") || "other files"}`);
}
