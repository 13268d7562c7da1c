// Runs after `npm install` in a clone and before `npm pack`: fetches what the program ships with, then builds
// it. What is unavailable now (no network, no development packages) is reported and left for later.
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const say = (line: string) => void process.stderr.write(`prepare: ${line}\n`);

interface Step {
  readonly name: string;
  readonly file: string;
  readonly run: (module: Record<string, unknown>) => Promise<string | undefined>;
  /** What still works without it, and how to get it. */
  readonly without: string;
}

type Outcome = { readonly kind: string; readonly reason?: string } | undefined;
type Fetch = (root: string) => Promise<Outcome>;

const STEPS: readonly Step[] = [
  {
    name: "embedding model",
    file: "model.ts",
    run: async (module) => toProblem(await (module["fetchModel"] as Fetch)(root)),
    without: "search goes by words alone; `node scripts/model.ts` tries again",
  },
  {
    name: "OCR data",
    file: "ocr-data.ts",
    run: async (module) => toProblem(await (module["prepareOcrData"] as Fetch)(root)),
    without: "scans and images cannot be read; `node scripts/ocr-data.ts` tries again",
  },
  {
    name: "console",
    file: "console.ts",
    run: async (module) => void (await (module["buildConsole"] as () => Promise<void>)()),
    without: "the server has no pages; `node scripts/console.ts` tries again",
  },
  {
    name: "program",
    file: "build.ts",
    run: async (module) => void (await (module["buildProgram"] as Fetch)(root)),
    without: "it starts from its source, more slowly; `npm run build` tries again",
  },
];

for (const { name, file, run, without } of STEPS) {
  if (!existsSync(join(import.meta.dirname, file))) continue;
  try {
    const problem = await run((await import(`./${file}`)) as Record<string, unknown>);
    if (problem !== undefined) say(`${name}: ${problem}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    say(`${name} is missing (${reason}): ${without}.`);
  }
}

function toProblem(outcome: Outcome): string | undefined {
  return outcome?.kind === "missing" ? (outcome.reason ?? "missing") : undefined;
}
