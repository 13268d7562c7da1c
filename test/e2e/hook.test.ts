// What a coding agent's hooks run, as the client runs it: JSON on stdin, JSON or nothing on stdout, always success.
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { programEnv, programLine } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { PACKAGE, PROGRAM } from "../support/shipped.ts";
import { startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const BODY = "Requests for travel money are due within thirty days of the journey's last day.";
const PROMPT = "When are requests for travel money due after a journey?";
const GIBBERISH = "xqzv blorft nnaggle wibbnok";
const HOOK = join(PACKAGE, "packaging", "claude-plugin", "hooks", "hook.sh");

let folder = "";

beforeAll(async () => {
  folder = tempFolder("hook");
  await mkdir(join(folder, "shop", "src"), { recursive: true });
  await writeFile(join(folder, "travel.md"), `# Travel policy\n\n${BODY}\n`);
  const sections = [1, 2, 3, 4].map((pier) =>
    `## Pier ${pier}\n\nThe mooring fee at pier ${pier} is ${pier} crowns a night. `.repeat(12),
  );
  await writeFile(join(folder, "piers.md"), `# Harbour fees\n\n${sections.join("\n\n")}\n`);
  await writeFile(join(folder, "shop", "AGENTS.md"), "# Commits\n\nSign every commit.\n");
  for (const args of [
    ["add", "travel.md", "piers.md"],
    ["scopes", "import", "shop"],
  ]) {
    const added = await runToEnd({ args: programLine(args, folder).slice(1), folder });
    expect(added, added.stderr).toMatchObject({ code: 0 });
  }
});

interface Told {
  readonly code: number | null;
  readonly stdout: string;
}

interface Line {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a line with this on stdin. It may end before it has read everything. */
function give(stdin: string, { command, args, env = {} }: Line): Promise<Told> {
  const child = spawn(command, args, { cwd: folder, env: { ...programEnv(folder), ...env } });
  let stdout = "";
  child.stdout.on("data", (part) => {
    stdout += part;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout }));
  });
}

function hook(word: string, stdin: string, ...flags: readonly string[]): Promise<Told> {
  const args = [PROGRAM, "hook", word, "--data-dir", join(folder, "data"), ...flags];
  return give(stdin, { command: process.execPath, args });
}

const asking = (prompt: string) => JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt });
const SILENT: Told = { code: 0, stdout: "" };

function contextOf({ stdout }: Told): { readonly event: string; readonly text: string } {
  const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
  return { event: hookEventName, text: additionalContext };
}

describe("hook prompt", () => {
  test("names the document that fits, with its id and without its text", async () => {
    const told = await hook("prompt", asking(PROMPT));
    const { event, text } = contextOf(told);
    expect(told.code).toBe(0);
    expect(event).toBe("UserPromptSubmit");
    expect(text).toMatch(/"Travel policy" \(document_id [0-9a-f-]{36}\)/);
    expect(told.stdout).not.toMatch(/thirty|journey/);
    expect(text.length).toBeLessThan(300);
  });

  test.each([
    ["half a line", '{"at":'],
    ["of later", '{"at":99999999999999,"chance":9}'],
    ["of long ago", '{"at":5,"chance":9}'],
    ["something else", "[]"],
  ])("finds again what prompts score by chance if the file has %s", async (_what, text) => {
    const file = join(folder, "data", "hook-chance.json");
    await writeFile(file, text);
    expect(contextOf(await hook("prompt", asking(PROMPT))).text).toContain("Travel policy");
    expect(JSON.parse(await readFile(file, "utf8")).chance).toBeLessThan(1);
  });

  test("says the same where the file cannot be written, and leaves nothing beside it", async () => {
    const file = join(folder, "data", "hook-chance.json");
    await rm(file, { force: true });
    await mkdir(file);
    expect(contextOf(await hook("prompt", asking(PROMPT))).text).toContain("Travel policy");
    const names = await readdir(join(folder, "data"));
    expect(names.filter((name) => name.startsWith("hook-"))).toEqual(["hook-chance.json"]);
    await rm(file, { recursive: true });
  });

  test("names a document with several passages once, by its title", async () => {
    const { text } = contextOf(await hook("prompt", asking("What is the mooring fee at a pier?")));
    expect(text.match(/document_id/g)).toHaveLength(1);
    expect(text).toContain('"Harbour fees"');
  });

  test("says the same if a running server searches", async () => {
    const alone = await hook("prompt", asking(PROMPT));
    const server = await startHttp({ dataDir: join(folder, "data"), root: folder });
    expect(await hook("prompt", asking(PROMPT))).toEqual(alone);
    expect(await hook("prompt", asking(GIBBERISH))).toEqual(SILENT);
    await server.stop();
  });

  test.each([
    ["gibberish", asking(GIBBERISH)],
    ["a command of the client", asking(`/ask ${PROMPT}`)],
    ["an empty prompt", asking("  ")],
    ["a prompt that is no text", '{"prompt":5}'],
    ["another event", "{}"],
    ["a list", "[]"],
    ["no JSON", "travel money"],
    ["nothing", ""],
    ["more than a megabyte", asking(`${PROMPT} ${"x".repeat(1_100_000)}`)],
  ])("is silent for %s", async (_what, stdin) => {
    expect(await hook("prompt", stdin)).toEqual(SILENT);
  });

  test("reads the beginning of a long prompt", async () => {
    const told = await hook("prompt", asking(`${PROMPT}\n${"\n".repeat(100_000)}end`));
    expect(contextOf(told).text).toContain("Travel policy");
  });

  test.each([
    ["the setting", ["--hooks", "off"]],
    ["an unknown option", ["--no-such-option"]],
    ["a setting that is wrong", ["--top-k", "many"]],
    ["a file in place of the data folder", ["--data-dir", PROGRAM]],
    ["an empty knowledge base", ["--data-dir", "elsewhere"]],
  ])("%s turns it off without a failure", async (_what, flags) => {
    expect(await hook("prompt", asking(PROMPT), ...flags)).toEqual(SILENT);
  });

  test("an unknown word is no failure either", async () => {
    expect(await hook("promt", asking(PROMPT))).toEqual(SILENT);
  });
});

describe("hook session", () => {
  const started = (cwd: string) => JSON.stringify({ hook_event_name: "SessionStart", cwd });

  test("names the scope of the folder or of one around it, and counts its rules", async () => {
    const { event, text } = contextOf(await hook("session", started(join(folder, "shop", "src"))));
    expect(event).toBe("SessionStart");
    expect(text).toContain('The scope "shop" (PROJECT) applies in this folder: 1 rule,');
    expect(text).not.toContain("Sign every commit");
  });

  test("is silent where no scope applies", async () => {
    expect(await hook("session", started(folder))).toEqual(SILENT);
    expect(await hook("session", "{}")).toEqual(SILENT);
  });
});

// Its clients run hooks in a POSIX shell.
describe.skipIf(process.platform === "win32")("the plugin's hook", () => {
  const run = (env: Readonly<Record<string, string>>) =>
    give(asking(PROMPT), {
      command: "/bin/sh",
      args: [HOOK, "prompt"],
      env: { KNOWLEDGE_DATA_DIR: join(folder, "data"), ...env },
    });
  const PATH = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);

  async function linkIn(bin: string): Promise<void> {
    await mkdir(bin, { recursive: true });
    await symlink(join(PACKAGE, "bin", "knowledge-server.js"), join(bin, "knowledge-server"));
  }

  test("runs the installed program", async () => {
    const bin = join(folder, "installed");
    await linkIn(bin);
    const told = await run({ PATH: [bin, PATH].join(delimiter) });
    expect(contextOf(told).text).toContain("Travel policy");
  });

  test("runs the copy that npx keeps", async () => {
    const cache = join(folder, "npm cache");
    await linkIn(join(cache, "_npx", "0a1b2c", "node_modules", ".bin"));
    const told = await run({
      PATH: "/usr/bin:/bin:".concat(dirname(process.execPath)),
      npm_config_cache: cache,
    });
    expect(contextOf(told).text).toContain("Travel policy");
  });

  test("is silent without a program, and when the program fails", async () => {
    expect(await run({ PATH: "/usr/bin:/bin", npm_config_cache: folder })).toEqual(SILENT);
    const bin = join(folder, "failing");
    await mkdir(bin);
    await writeFile(join(bin, "knowledge-server"), "#!/bin/sh\nexit 2\n", { mode: 0o755 });
    expect(await run({ PATH: [bin, PATH].join(delimiter) })).toEqual(SILENT);
  });
});
