// Every failing start, and every server after one SIGTERM: the process ends with its exit code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { makePdfOfPages, STROKES } from "../support/files/raw-pdf.ts";
import { programEnv } from "../support/process.ts";
import { type RunOptions, runToEnd } from "../support/run.ts";
import { PACKAGE, PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

// Nothing listens there.
const NO_DATABASE = ["--database-url", "postgres://nobody@127.0.0.1:1/none"];

let home: string;
let busy: Server;
let busyPort: string;

beforeAll(async () => {
  home = tempFolder("start");
  busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  busyPort = String((busy.address() as { port: number }).port);
});
afterAll(async () => {
  busy.close();
  await rm(home, { recursive: true, force: true });
});

/** A home folder with documents to follow and settings that say so. */
async function makeFolder(): Promise<string> {
  const folder = tempFolder("at", home);
  await mkdir(join(folder, "documents"));
  await writeFile(join(folder, "documents", "note.txt"), "A note about herons.");
  const settings = { folders: ["./documents"], dataDir: "~/kb" };
  await writeFile(join(folder, "ks.json"), JSON.stringify(settings));
  await writeFile(join(folder, "tokens.json"), '{"tokens": 1}');
  return folder;
}

type Row = Omit<RunOptions, "folder" | "args"> & { readonly args: () => readonly string[] };

// No model: loading it would take longer than everything else here.
const env = { KNOWLEDGE_MODEL_DIR: "~/no-model" };

async function run({ args, ...rest }: Row) {
  const folder = await makeFolder();
  const ended = await runToEnd({
    ...rest,
    env,
    folder,
    args: ["--config", "ks.json", ...args()],
  });
  // The home folder is meant by ~, so none is named so.
  expect(await readdir(folder)).not.toContain("~");
  return { ...ended, folder };
}

const FAILING: readonly (readonly [string, number, string, Row])[] = [
  ["http on a busy port", 2, "in use", { args: () => ["http", "--port", busyPort] }],
  ["http with an unusable token file", 2, "token file", httpWith("--token-file", "tokens.json")],
  ["following a folder that is not there", 3, "folder", watch("nowhere")],
  ["stdio whose client is gone already", 0, "server.stopped", { args: () => ["stdio"] }],
  [
    "stdio whose client is gone and whose database is unavailable",
    0,
    "server.stopped",
    { args: () => ["stdio", ...NO_DATABASE] },
  ],
];

const SERVING: readonly (readonly [string, RegExp, Row])[] = [
  ["http that follows folders", /ingest\.folder-settled/, httpWith()],
  ["http without its database", /http\.listening/, httpWith(...NO_DATABASE)],
  ["stdio with an open stdin", /server\.started/, { args: () => ["stdio"], stdin: "open" }],
  ["worker without its database", /worker\.started/, { args: () => ["worker", ...NO_DATABASE] }],
  ["add --watch", /up to date/, watch("documents")],
  ["add --watch without its database", /catching up/, watch("documents", ...NO_DATABASE)],
];

function httpWith(...more: readonly string[]): Row {
  return { args: () => ["http", "--port", "0", ...more] };
}

function watch(path: string, ...more: readonly string[]): Row {
  return { args: () => ["add", path, "--watch", ...more] };
}

describe.concurrent("a start that fails", () => {
  test.for(FAILING)("%s ends with %i", async ([_name, code, says, row], { signal }) => {
    const ended = await run({ ...row, signal });
    expect(ended).toMatchObject({ code, signal: null });
    expect(ended.stderr).toContain(says);
    if (code !== 0) expect(ended.stderr).not.toContain("server.started");
  });
});

describe.concurrent("one SIGTERM", () => {
  test.for(SERVING)("ends %s", async ([_name, stopAt, row], { signal }) => {
    expect(await run({ ...row, stopAt, signal })).toMatchObject({ code: 0, signal: null });
  });

  test("ends a server whose console was not built", async ({ signal }) => {
    const copy = join(home, "package");
    await cp(join(PACKAGE, "bin"), join(copy, "bin"), { recursive: true });
    const filter = (path: string) => path !== join(PACKAGE, "dist", "console");
    await cp(join(PACKAGE, "dist"), join(copy, "dist"), { recursive: true, filter });
    for (const name of ["package.json", "node_modules", "models", "ocr-data"]) {
      await symlink(join(PACKAGE, name), join(copy, name));
    }
    const main = join(copy, "bin", "knowledge-server.js");
    const ended = await run({ ...httpWith(), main, stopAt: /http\.listening/, signal });
    expect(ended).toMatchObject({ code: 0, signal: null });
  });
});

// Pages of a few bytes each, which OCR reads one by one: minutes of work.
const SLOW_PDF = makePdfOfPages(4_000, STROKES).toString("latin1");

/**
 * The reader processes of a server that have begun. One that is stopped between fork and exec would hold up the server's
 * main thread, which waits for it in the operating system.
 */
async function readersOf(pid: number | undefined): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const pids = children.trim().split(" ").filter(Boolean).map(Number);
  const lines = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, "utf8")));
  return pids.filter((_, at) => lines[at]?.includes("child.js"));
}

describe.concurrent("one SIGTERM ends a server in time while it", () => {
  const COMMANDS = { http: ["http", "--port", "0"], watch: ["add", "documents", "--watch"] };
  const STATES = Object.entries(COMMANDS).flatMap(([command, args]) =>
    [1, 40].flatMap((files) => [false, true].map((isStuck) => ({ command, args, files, isStuck }))),
  );

  test.runIf(process.platform === "linux").for(STATES)(
    "reads in $command mode, with $files files and readers that are stuck: $isStuck",
    async ({ args, files, isStuck }) => {
      const folder = await makeFolder();
      for (let at = 0; at < files; at += 1) {
        await writeFile(join(folder, "documents", `${at}.pdf`), `${SLOW_PDF}\n%${at}`);
      }
      const child = spawn(process.execPath, [PROGRAM, "--config", "ks.json", ...args], {
        cwd: folder,
        env: { ...programEnv(folder), ...env },
        stdio: "ignore",
      });
      const ended = once(child, "exit");
      const pids = await eventually(async () => {
        const some = await readersOf(child.pid);
        expect(some).not.toEqual([]);
        return some;
      });
      if (isStuck) for (const pid of pids) process.kill(pid, "SIGSTOP");
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
  );
});

describe("an uncaught error", () => {
  const ERROR = 'new TypeError("words of a document")';
  const FAULTS = { exception: `throw ${ERROR}`, rejection: `void Promise.reject(${ERROR})` };

  const plant = async (name: keyof typeof FAULTS, args: readonly string[], when: string) => {
    const preload = join(home, `${name}.mjs`);
    await writeFile(preload, `process.${when}(() => { ${FAULTS[name]}; });`);
    const { code, stderr } = await runToEnd({
      args,
      folder: home,
      env: { ...env, NODE_OPTIONS: `--import=${preload}` },
      ...(args[0] === "http" ? { stopAt: /http\.listening/ } : {}),
    });
    const said = stderr.split("\n").filter((line) => /TypeError|^ +at /.test(line));
    expect(said[0]).toContain(`${name}.mjs:1:`);
    expect(said[0]).not.toContain("words of a document");
    expect(said[0]).not.toContain(home);
    return { code, said };
  };
  const HTTP = ["http", "--port", "0"];
  const AT_SIGTERM = 'on.bind(process, "SIGTERM")';

  test("an exception ends the server with one line", async () => {
    const { code, said } = await plant("exception", HTTP, AT_SIGTERM);
    expect(code).toBe(1);
    expect(said).toEqual([expect.stringContaining("stopped because of a bug")]);
  });

  test("a rejection is logged with its cause, and the server goes on until it is stopped", async () => {
    const { code, said } = await plant("rejection", HTTP, AT_SIGTERM);
    expect(code).toBe(0);
    expect(said).toEqual([expect.stringContaining("server.unhandled-rejection")]);
  });

  test("a rejection ends a command, which serves nobody else", async () => {
    const { code, said } = await plant("rejection", ["status"], "nextTick");
    expect(code).toBe(1);
    expect(said).toEqual([expect.stringContaining("stopped because of a bug")]);
  });
});

describe("a process that does not end by itself", () => {
  const main = fileURLToPath(new URL("./children/lingering.ts", import.meta.url));
  const end = (how: string, stopAt?: RegExp) =>
    runToEnd({ args: [how], folder: home, main, ...(stopAt ? { stopAt } : {}) });

  test("because something was left open still exits with its code", async () => {
    expect(await end("lingers")).toMatchObject({ code: 7, signal: null });
  });

  test("because something cannot be closed still exits with its code", async () => {
    expect(await end("sticks")).toMatchObject({ code: 7, signal: null });
  });

  test("because it ignores the stop signal exits after one SIGTERM", async () => {
    expect(await end("ignores", /ready/)).toMatchObject({ code: 130, signal: null });
  });
});

test("a process whose main thread hangs once it is asked to stop is killed", async () => {
  const main = fileURLToPath(new URL("./children/lingering.ts", import.meta.url));
  const ended = await runToEnd({ args: ["freezes"], folder: home, main, stopAt: /ready/ });
  expect(ended).toMatchObject({ code: null, signal: "SIGKILL" });
});

describe.skipIf(process.platform === "win32")("a process with a file that never opens", () => {
  const main = fileURLToPath(new URL("./children/lingering.ts", import.meta.url));

  test.each(["hangs", "hangs-later", "hangs ignores", "hangs-later ignores"])(
    "'%s' ends all the same",
    async (how) => {
      const stopAt = how.endsWith("ignores") ? { stopAt: /ready/ } : {};
      const ended = await runToEnd({ args: how.split(" "), folder: home, main, ...stopAt });
      expect(ended).toMatchObject({ code: null, signal: "SIGKILL" });
    },
  );
});

describe("compiled code, which is run at the next start, is kept where nobody else can write", () => {
  const folders = async () => {
    const own = tempFolder("cache", home);
    const temporary = tempFolder("temporary", home);
    // "": as if the variable were not set.
    const env = { TMPDIR: temporary, NODE_COMPILE_CACHE: "" };
    const compiled = join(own, ".cache", "knowledge-server", "compiled");
    const run = () => runToEnd({ args: ["version"], folder: own, env });
    return { own, temporary, compiled, run };
  };

  test("in the user's own folder, not in the one for temporary files", async () => {
    const { temporary, compiled, run } = await folders();
    expect((await run()).code).toBe(0);
    expect(await readdir(compiled)).not.toEqual([]);
    expect((await stat(compiled)).mode & 0o777).toBe(0o700);
    expect(await readdir(temporary)).toEqual([]);
  });

  test.each([0o777, 0o775])("nowhere, if others may write above it: %o", async (mode) => {
    const { own, temporary, compiled, run } = await folders();
    await mkdir(join(own, ".cache"));
    await chmod(join(own, ".cache"), mode);
    expect((await run()).code).toBe(0);
    expect(await readdir(compiled)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
