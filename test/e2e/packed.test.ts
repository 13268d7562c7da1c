// The package as it is installed: exactly the files that npm would pack, in an empty folder with a clean home, on the
// oldest Node that is supported and on the one that the project is built with.
import { execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { ownPlatform, placeNatives, readPlatforms } from "../../scripts/natives.ts";
import { ensureOldestNode } from "../../scripts/oldest-node.ts";
import { nativeName, toBundled, toMain } from "../../scripts/published.ts";
import { packedFiles } from "../support/packed.ts";
import { PACKAGE } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const LEAVE = "# Leave\n\nParental leave is sixteen weeks for everybody.\n";

/** Links where it can: a copy of all would be 140 MB. */
function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}

interface Installed {
  readonly folder: string;
  readonly bin: string;
}

/** Asked of npm once: what is packed is the same for all of them. */
const packed = (await packedFiles()).filter((path) => !path.startsWith("native/"));

/** "inside": as `npm pack` makes it; "beside": the two packages of the registry, as npm installs them. */
async function install(native: "inside" | "beside"): Promise<Installed> {
  const folder = tempFolder("packed");
  const modules = join(folder, "node_modules");
  const target = join(modules, "knowledge-server");
  const own = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  const platforms = await readPlatforms(PACKAGE);
  const name = ownPlatform(platforms) ?? "";
  const platform = platforms[name];
  for (const path of packed) place(join(PACKAGE, path), join(target, path));
  const beside = join(modules, nativeName(name));
  if (platform)
    await placeNatives(PACKAGE, platform, native === "inside" ? join(target, "native") : beside);
  if (native === "beside")
    writeFileSync(join(beside, "package.json"), JSON.stringify({ name: nativeName(name) }));
  const manifest = native === "inside" ? toBundled(own, platform) : toMain(own, platforms);
  // The link leads to the project's own file.
  const file = join(target, "package.json");
  await promisify(execFile)("rm", [file]);
  writeFileSync(file, JSON.stringify(manifest));
  writeFileSync(join(folder, "leave.md"), LEAVE);
  return { folder, bin: join(target, "bin", "knowledge-server.js") };
}

const run = async (node: string, { folder, bin }: Installed, ...args: string[]) => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home") };
  const { stdout, stderr } = await promisify(execFile)(node, [bin, ...args], { cwd: folder, env });
  return { stdout, stderr };
};

const readme = () => readFile(join(PACKAGE, "README.md"), "utf8");

/** The commands of a section's first block, without their comments. */
async function readmeLines(heading: string): Promise<readonly string[]> {
  const section = (await readme()).split(`\n## ${heading}\n`)[1] ?? "";
  const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
  return block.split("\n").flatMap((line) => line.replace(/\s+#.*$/, "").trim() || []);
}

/** The command from the README's client settings, with the package's folder filled in. */
async function readmeServer(folder: string): Promise<readonly string[]> {
  const text = /```json\n(\{ "mcpServers"[\s\S]*?)```/.exec(await readme())?.[1] ?? "";
  const { command, args } = JSON.parse(text).mcpServers.knowledge;
  return [command, ...args].map((part) => part.replace("/path/to/knowledge-server", folder));
}

interface LinePlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** By the shell, as a person types it. What watches is stopped once it watches. */
async function runLine(line: string, { cwd, env }: LinePlace) {
  // A model that is being loaded when it stops is waited for, but not for as long as a busy machine may take.
  const own = line.endsWith("--watch") ? { KNOWLEDGE_MODEL_DIR: "~/no-model" } : {};
  const child = spawn("sh", ["-c", `exec ${line}`], { cwd, env: { ...env, ...own } });
  let output = "";
  const hear = (part: Buffer) => {
    output += part;
    // Once: a second signal ends the process at once, by another code.
    if (line.endsWith("--watch") && !child.killed && output.includes("Watching")) child.kill();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

describe.each([
  ["the oldest supported Node, native parts inside", ensureOldestNode, "inside"],
  ["the project's Node, native parts beside it", async () => process.execPath, "beside"],
] as const)("the packed program on %s", (_, findNode, native) => {
  let at: Installed;
  let node: string;
  beforeAll(async () => {
    node = await findNode();
    at = await install(native);
    mkdirSync(join(at.folder, "home"));
  });

  test("adds, finds, answers and is healthy, with nothing unexpected on stderr", async () => {
    const added = await run(node, at, "add", "leave.md", "--json");
    expect(added.stderr).not.toMatch(/Experimental|warning/i);
    const { stdout: found } = await run(node, at, "search", "parental leave", "--json");
    expect(JSON.parse(found).results[0].chunk_text).toContain("sixteen weeks");
    const { stdout: answered } = await run(node, at, "answer", "How long is parental leave?");
    expect(answered).toContain("sixteen weeks");
    const { stdout: health } = await run(node, at, "doctor");
    expect(health).toContain("✓ embedding model");
    expect(health).toContain("✓ Node");
  });

  test("reads a scan, which needs the native parser", async () => {
    const scan = join(PACKAGE, "test", "fixtures", "invoice-turned.jpg");
    cpSync(scan, join(at.folder, "invoice.jpg"));
    await run(node, at, "add", "invoice.jpg");
    const { stdout } = await run(node, at, "search", "invoice number", "--json");
    expect(stdout).toContain("INV-20417");
  });

  // Once: the lines use nothing that the other packing could miss.
  test.runIf(native === "inside")(
    "does what every line of the README's command line says",
    async () => {
      const home = join(at.folder, "home");
      const bin = join(at.folder, "commands");
      mkdirSync(bin);
      writeFileSync(join(bin, "knowledge-server"), `#!/bin/sh\nexec "${node}" "${at.bin}" "$@"\n`, {
        mode: 0o755,
      });
      for (const name of ["Documents/handbook", "notes"]) {
        mkdirSync(join(home, name), { recursive: true });
        writeFileSync(join(home, name, "leave.md"), LEAVE);
      }
      writeFileSync(join(at.folder, "AGENTS.md"), "# Rules\n\n- Write tests first.\n");
      const path = `${bin}:${process.env["PATH"] ?? ""}`;
      const env = { PATH: path, HOME: home, KNOWLEDGE_DATA_DIR: join(home, "readme") };
      const lines = await readmeLines("Command line");
      expect(lines.length).toBeGreaterThan(5);
      const said: string[] = [];
      for (const line of lines) {
        const { code, output } = await runLine(line, { cwd: at.folder, env });
        expect([line, code], output).toEqual([line, 0]);
        said.push(output);
      }
      expect(said.filter((output) => output.includes("sixteen weeks"))).toHaveLength(2);
    },
  );

  test("serves a client over stdio, by the README's settings", async () => {
    const [command = "", ...args] = await readmeServer(dirname(dirname(at.bin)));
    expect(command).toBe("node");
    const client = new Client({ name: "test", version: "1.0.0" });
    const env = { PATH: process.env["PATH"] ?? "", HOME: join(at.folder, "home") };
    await client.connect(
      new StdioClientTransport({
        command: node,
        args,
        env,
        cwd: at.folder,
        stderr: "ignore",
      }),
    );
    const found = await client.callTool({
      name: "knowledge-search",
      arguments: { query: "leave" },
    });
    expect(JSON.stringify(found.content)).toContain("sixteen weeks");
    await client.close();
  });

  test("serves the console and the sample, by the README's `npm start`", async () => {
    const { scripts } = JSON.parse(
      await readFile(join(dirname(at.bin), "..", "package.json"), "utf8"),
    );
    const [, bin = "", ...args] = (scripts.start as string).split(" ");
    const child = spawn(node, [bin, ...args, "--port", "0"], {
      cwd: join(dirname(at.bin), ".."),
      env: { PATH: process.env["PATH"] ?? "", HOME: join(at.folder, "home") },
    });
    const url = await new Promise<string>((resolve, reject) => {
      let seen = "";
      child.stderr.on("data", (part) => {
        seen += part;
        const found = /Console: (http:\S+)\s/.exec(seen)?.[1];
        if (found) resolve(found);
      });
      child.on("close", () => reject(new Error(seen)));
    });
    try {
      const page = await (await fetch(url)).text();
      const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? "";
      expect((await fetch(new URL(script, url))).status).toBe(200);
    } finally {
      child.kill("SIGTERM");
      await new Promise((done) => child.once("close", done));
    }
  });
});

describe("the packed program", () => {
  const older = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;

  test.each(["22.12.0", "20.19.0", "18.0.0"])(
    "says in one sentence that Node %s is too old",
    async (version) => {
      const folder = tempFolder("old");
      for (const path of ["bin/knowledge-server.js", "dist/main.js", "package.json"]) {
        place(join(PACKAGE, path), join(folder, path));
      }
      const bin = join(folder, "bin", "knowledge-server.js");
      const ended = await promisify(execFile)(process.execPath, [
        "--import",
        older(version),
        bin,
        "search",
        "x",
      ]).then(
        () => undefined,
        (error: { code: number; stderr: string; stdout: string }) => error,
      );
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended?.stderr).toMatch(
        new RegExp(
          `^knowledge-server needs Node 22\\.13 or newer, and this is Node ${version}: [^\\n]+\\n$`,
        ),
      );
    },
  );

  test("searches without the native runtime, and doctor says what is missing", async () => {
    const at = await install("inside");
    mkdirSync(join(at.folder, "home"));
    const native = join(dirname(at.bin), "..", "native");
    chmodSync(native, 0o755);
    await promisify(execFile)("rm", ["-r", native]);
    await run(process.execPath, at, "add", "leave.md");
    const { stdout } = await run(
      process.execPath,
      at,
      "search",
      "time off for new parents",
      "--json",
    );
    expect(JSON.parse(stdout).results[0].chunk_text).toContain("sixteen weeks");
    const { stdout: health } = await run(process.execPath, at, "doctor");
    expect(health).toMatch(/embedding model: .*no native onnxruntime for/);
  });
});
