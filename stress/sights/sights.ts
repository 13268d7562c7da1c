// npm run sights -- [calls] [seed] [sqlite|postgres]: the differential proof of what callers see, for as long as you like.
import { type TempDatabase, tempBase, tempDatabase } from "../../test/support/temp-postgres.ts";
import { openStoreHere, tempStore } from "../../test/support/temp-store.ts";
import { runSights } from "./run-sights.ts";

const [calls = "10000", seed = "1", engine = "sqlite"] = process.argv.slice(2);
const database: TempDatabase | undefined =
  engine === "postgres" ? await tempDatabase({ ownServer: true }) : undefined;
const open = () => (database ? tempBase(database) : tempStore((dataDir) => openStoreHere(dataDir)));
const startedAt = performance.now();
const report = await runSights({ open, seed: Number(seed), calls: Number(calls) });
await database?.drop();
const seconds = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(
  `${engine}, seed ${seed}: ${report.calls} calls by ${report.callers} callers in ${seconds} s, ${report.differences.length} differences\n`,
);
for (const difference of report.differences) process.stdout.write(`${difference}\n`);
process.exitCode = report.differences.length === 0 ? 0 : 1;
