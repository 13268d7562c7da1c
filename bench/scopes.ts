// Three steps to the rules: against three pings on the same connection, in a fresh process too, and what lies below them.
//   node bench/scopes.ts [--server src/main.ts] [--data ../shared/data] [--out FILE]
import { glob, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openLog } from "../src/observe/log.ts";
import { openScopes } from "../src/scopes/scopes.ts";
import type { Store } from "../src/store/store.ts";
import { openStoreAt } from "../test/support/temp-store.ts";
import { PINGS, runCold, stepsOf } from "./support/cold.ts";
import { type RuleCorpus, ruleCorpus } from "./support/rule-corpus.ts";

const log = openLog({ level: "silent" });
const ROUNDS = 500;
const COLD = 300;
/** Fresh processes of each kind; right away, and after a pause as an agent makes it that thinks before it asks. */
const FRESH = 15;
const PAUSES_MS = [0, 1_000];

const { values } = parseArgs({
  options: {
    server: { type: "string", default: "bin/knowledge-server.js" },
    data: { type: "string" },
    out: { type: "string" },
  },
});

const corpus = ruleCorpus();
const dataDir = await mkdtemp(join(tmpdir(), "bench-scopes-"));
const file = join(dataDir, "rules.json");
await writeFile(file, corpus.json);
try {
  const figures = {
    scopes: corpus.scopes,
    entries: corpus.entries,
    fileMb: round(corpus.json.length / 1e6),
    ...(await measureImport()),
    ...(await measureIndex()),
    ...(await measureStdio()),
    ...(await measureFresh(dataDir, corpus)),
    ...(await measureFreshSmall()),
    ...(values.data === undefined ? {} : await importGuides(values.data)),
  };
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(34)} ${value}\n`);
  }
  if (values.out !== undefined) await writeFile(values.out, JSON.stringify(figures, null, 2));
} finally {
  await rm(dataDir, { recursive: true });
}

async function withStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openStoreAt(dataDir);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function measureImport() {
  return withStore(async (store) => {
    const scopes = openScopes({ store: store.scopes, log });
    await store.health();
    const cpu = process.cpuUsage();
    const first = await timed(() => scopes.import([file], {}));
    const { user, system } = process.cpuUsage(cpu);
    const again = await timed(() => scopes.import([file], {}));
    return {
      importEntriesPerSecond: Math.round(corpus.entries / (first / 1_000)),
      importMs: round(first),
      // What an idle machine comes near to: wall time here is shared with whatever else runs.
      importEntriesPerCpuSecond: Math.round(corpus.entries / ((user + system) / 1e6)),
      reimportUnchangedMs: round(again),
    };
  });
}

async function measureIndex() {
  return withStore(async (store) => {
    const cold: number[] = [];
    const warmParents: number[] = [];
    // The reading thread and the version's connection start before anything is measured.
    await openScopes({ store: store.scopes, log }).get("general-0");
    for (const id of sample(corpus, COLD)) {
      const fresh = openScopes({ store: store.scopes, log });
      cold.push(await timed(async () => (await fresh.get(id)).categories()));
    }
    const scopes = openScopes({ store: store.scopes, log });
    for (const id of corpus.projects) {
      warmParents.push(await timed(async () => (await scopes.get(id)).categories()));
    }
    const hot = await timeHot(async (id) => threeInProcess(scopes, id));
    return {
      coldBuildMsP50: round(quantile(cold, 0.5)),
      coldBuildMsP95: round(quantile(cold, 0.95)),
      nextScopeMsP50: round(quantile(warmParents, 0.5)),
      threeStepsInProcessUs: round(hot * 1_000),
    };
  });
}

async function threeInProcess(scopes: ReturnType<typeof openScopes>, id: string): Promise<void> {
  (await scopes.get(id)).categories();
  (await scopes.get(id)).keywords(["git", "api"]);
  (await scopes.get(id)).knowledge(["rule-0", "rule-8"]);
}

async function timeHot(run: (id: string) => Promise<void>): Promise<number> {
  const ids = sample(corpus, 50);
  for (const id of ids) await run(id);
  const rounds = 20_000;
  const took = await timed(async () => {
    for (let at = 0; at < rounds; at++) await run(ids[at % ids.length] ?? "");
  });
  return took / rounds;
}

async function measureStdio() {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const args = [values.server, "--data-dir", dataDir, "--log-level", "silent"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  try {
    const ids = sample(corpus, 50);
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given });
    const steps = async (id: string) => {
      await call("get_categories", { project_name: id });
      await call("get_keywords", { project_name: id, categories: ["git", "api"] });
      await call("get_knowledge", { scope_id: id, keywords: ["rule-0", "rule-8"] });
    };
    const pings = async () => {
      await client.ping();
      await client.ping();
      await client.ping();
    };
    for (const id of ids) {
      await steps(id);
      await pings();
    }
    const stepMs: number[] = [];
    const pingMs: number[] = [];
    // Taken in turns, so that a busy moment of the machine falls on both.
    for (let at = 0; at < ROUNDS; at++) {
      pingMs.push(await timed(pings));
      stepMs.push(await timed(() => steps(ids[at % ids.length] ?? "")));
    }
    return {
      threePingsMsP50: round(quantile(pingMs, 0.5), 3),
      threeStepsMsP50: round(quantile(stepMs, 0.5), 3),
      threeStepsMsP95: round(quantile(stepMs, 0.95), 3),
      threeStepsToPings: round(quantile(stepMs, 0.5) / quantile(pingMs, 0.5)),
    };
  } finally {
    await client.close();
  }
}

/** Agents ask once per process: `initialize`, `initialized`, then the steps; in turns with processes that are pinged. */
async function measureFresh(folder: string, { entries, projects }: RuleCorpus) {
  const command = [process.execPath, values.server, "--data-dir", folder, "--log-level", "info"];
  const figures: Record<string, number> = {};
  for (const pauseMs of PAUSES_MS) {
    const pings: number[] = [];
    const steps: number[] = [];
    const inServer: number[] = [];
    for (let at = 0; at < FRESH; at++) {
      const id = projects[(at * 37) % projects.length] ?? "";
      pings.push((await runCold({ command, pauseMs, calls: PINGS })).ms);
      const { ms, toolsMs } = await runCold({ command, pauseMs, calls: stepsOf(id) });
      steps.push(ms);
      inServer.push(toolsMs);
    }
    const name = `fresh${entries}${pauseMs === 0 ? "AtOnce" : "AfterPause"}`;
    figures[`${name}PingsMs`] = round(quantile(pings, 0.5), 3);
    figures[`${name}StepsMs`] = round(quantile(steps, 0.5), 3);
    figures[`${name}InServerMs`] = round(quantile(inServer, 0.5), 3);
    figures[`${name}ToPings`] = round(quantile(steps, 0.5) / quantile(pings, 0.5));
  }
  return figures;
}

async function measureFreshSmall() {
  const small = ruleCorpus("small");
  const folder = await mkdtemp(join(tmpdir(), "bench-scopes-small-"));
  try {
    const rules = join(folder, "rules.json");
    await writeFile(rules, small.json);
    const store = openStoreAt(folder);
    await openScopes({ store: store.scopes, log }).import([rules], {});
    await store.close();
    return await measureFresh(folder, small);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Real rules of real projects: every file is read, and what is refused is shown. */
async function importGuides(data: string) {
  return withStore(async (store) => {
    const scopes = openScopes({ store: store.scopes, log });
    let files = 0;
    let entries = 0;
    let refused = 0;
    const took = await timed(async () => {
      for await (const folder of glob(join(data, "rules/*/*"))) {
        const report = await scopes.import([folder], {});
        files += report.sources.length;
        entries += report.sources.reduce((sum, { added }) => sum + added, 0);
        refused += report.refused.length + report.fatal.length;
      }
    });
    return {
      guideFiles: files,
      guideEntries: entries,
      guideRefused: refused,
      guidesMs: round(took),
    };
  });
}

function sample({ projects }: RuleCorpus, count: number): readonly string[] {
  const step = Math.max(1, Math.floor(projects.length / count));
  return projects.filter((_, at) => at % step === 0).slice(0, count);
}

async function timed(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0;
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
