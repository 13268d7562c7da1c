// npm run history -- --minutes 10 --store both: random work by several processes with kills and pauses, checked against
// a model. Prints what was tried.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { tempDatabase } from "../../test/support/temp-postgres.ts";
import { runHistories } from "./run-history.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    store: { type: "string", default: "both" },
    seed: { type: "string", default: "1" },
    operations: { type: "string", default: "60" },
    "pause-ms": { type: "string", default: "1500" },
  },
});
const STORES = values.store === "both" ? ["sqlite", "postgres"] : [values.store];
const print = (line: string) => process.stdout.write(`${line}\n`);

async function run(kind: "sqlite" | "postgres"): Promise<number> {
  const folder = tempFolder("history");
  const database = kind === "postgres" ? await tempDatabase() : undefined;
  if (kind === "postgres" && !database) throw new Error("There is no PostgreSQL to run on.");
  try {
    const { violations, ...sum } = await runHistories({
      place: { kind, at: database?.url ?? join(folder, "data"), files: join(folder, "files") },
      seed: Number(values.seed),
      seconds: (Number(values.minutes) * 60) / STORES.length,
      operations: Number(values.operations),
      pauseMs: Number(values["pause-ms"]),
    });
    for (const violation of violations) print(`VIOLATION ${violation}`);
    const figures = Object.entries(sum).map(([name, count]) => `${count} ${name}`);
    print(`${kind}: ${figures.join(", ")}, ${violations.length} violations`);
    return violations.length + sum.undecided;
  } finally {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let wrong = 0;
for (const kind of STORES) wrong += await run(kind as "sqlite" | "postgres");
process.exit(wrong === 0 ? 0 : 1);
