// Real client applications against this server, without an account: `npm run clients [-- NAME…] [--folder DIR]` installs
// them into a temporary folder, plays their model on loopback, and writes what each shows, cuts or refuses to
// docs/clients.md.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { freePort } from "../../scripts/postgres.ts";
import { APPLICATIONS, type Application, type Reach } from "./applications.ts";
import { startMarkedHttp } from "./marks.ts";
import { type Model, type Step, startModel } from "./model.ts";
import { everyday, type Files, marked, slow, writeFiles } from "./plan.ts";
import { type Answered, type Outcome, report } from "./report.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");
const SERVER = join(ROOT, "bin/knowledge-server.js");
const PATIENCE_MS = 240_000;
/** By then the slow add is at work. */
const CANCEL_AFTER_MS = 2_500;

const { values, positionals } = parseArgs({
  options: { folder: { type: "string" } },
  allowPositionals: true,
});
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "knowledge-clients-"));
mkdirSync(folder, { recursive: true });
const files = writeFiles(join(folder, "files"));
const chosen = APPLICATIONS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const outcomes: Outcome[] = [];
for (const application of chosen) {
  outcomes.push(await drive(application, files));
  // After each: a run takes minutes, and what is known is kept.
  report(join(ROOT, "docs/clients.md"), outcomes);
}
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });

async function drive(application: Application, given: Files): Promise<Outcome> {
  const { name, title, npm } = application;
  const place = join(folder, "packages", name);
  mkdirSync(place, { recursive: true });
  const installed = await run(
    "npm",
    ["install", "--prefix", place, "--no-audit", "--no-fund", npm],
    {
      maxBuffer: 1e8,
    },
  ).then(
    () => undefined,
    (thrown: Error) => thrown.message.split("\n", 1)[0],
  );
  const manifest = join(place, "node_modules", npm, "package.json");
  if (installed !== undefined || !existsSync(manifest)) {
    return { title, version: "not installed", ways: [], problem: installed ?? "no package" };
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const ways = [];
  for (const way of ["stdio", "http"] as const) {
    say(`${title} ${version} over ${way}`);
    const all = await ask(application, { way, steps: everyday(given), files: given });
    say(`  ${all.returned.map(({ step, text }) => `${step} ${text.length}`).join(", ")}`);
    const cut = await ask(application, { way, steps: slow(given), files: given, cancels: true });
    say(`  cancelled: exit ${cut.exit}, ${cut.left} documents left`);
    const { shown } = await ask(application, {
      way,
      steps: marked(given),
      files: given,
      marks: true,
    });
    say(`  reaches the model: ${shown.join(", ")}`);
    ways.push({ way, returned: all.returned, exit: all.exit, cancelled: cut, shown });
  }
  return { title, version, ways };
}

interface Asked {
  readonly way: "stdio" | "http";
  readonly steps: readonly Step[];
  readonly files: Files;
  readonly cancels?: boolean;
  /** Between client and server, each part of a result gets a mark. */
  readonly marks?: boolean;
}

async function ask(application: Application, asked: Asked): Promise<Answered> {
  const { way, steps, files: given, cancels = false, marks = false } = asked;
  const home = mkdtempSync(join(folder, `${application.name}-`));
  const work = join(home, "work");
  mkdirSync(work);
  const dataDir = join(home, "data");
  const options = ["--data-dir", dataDir, "--root", given.folder, "--kb-file", given.kbFile];
  const model = await startModel(steps);
  const server = way === "http" ? await startServer(options) : undefined;
  const proxy = server && marks ? await startMarkedHttp(server.url) : undefined;
  const between = marks ? [join(import.meta.dirname, "marks.ts")] : [];
  const reach: Reach = server
    ? { kind: "http", url: `${(proxy ?? server).url}/mcp` }
    : { kind: "stdio", command: process.execPath, args: [...between, SERVER, ...options] };
  const bin = join(folder, "packages", application.name, "node_modules/.bin", application.bin);
  const launch = application.prepare({ home, work, bin, modelUrl: model.url }, reach);
  const [program = "", ...args] = launch.command;
  const child = spawn(program, args, {
    cwd: work,
    env: { PATH: process.env["PATH"], HOME: home, USER: "user", TERM: "dumb", ...launch.env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const exit = await endOf(child, model, cancels);
  const returned = [...model.returned];
  const shown = [...model.shown];
  await model.close();
  proxy?.close();
  const left = await countDocuments(options);
  await server?.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  return { returned, shown, exit, left };
}

async function endOf(child: ChildProcess, model: Model, cancels: boolean): Promise<string> {
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  if (cancels) model.onCall = () => setTimeout(() => child.kill("SIGINT"), CANCEL_AFTER_MS);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(patience);
  return signal ?? String(code);
}

async function startServer(options: readonly string[]) {
  const port = await freePort();
  const child = spawn(process.execPath, [SERVER, "http", "--port", String(port), ...options], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of child.stderr) if (String(line).includes("MCP:")) break;
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function countDocuments(options: readonly string[]): Promise<number> {
  const shown = await run(process.execPath, [SERVER, "status", "--json", ...options]).catch(
    (thrown: { stdout?: string }) => ({ stdout: thrown.stdout ?? "{}" }),
  );
  const { knowledge_base: base } = JSON.parse(shown.stdout || "{}") as {
    knowledge_base?: { document_count: number };
  };
  return base?.document_count ?? -1;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
