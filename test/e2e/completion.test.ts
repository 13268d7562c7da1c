// Completions in the shells themselves: bash always, zsh and fish where they are installed.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { programEnv } from "../support/process.ts";
import { HAS_SCRIPT, record } from "../support/pty.ts";
import { PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
const folder = tempFolder("completion");
const scriptOf = (shell: string) => join(folder, `completion.${shell}`);

function has(shell: string): boolean {
  const found = !spawnSync(shell, ["-c", "exit 0"]).error;
  if (!found) process.stderr.write(`SKIPPED: ${shell} is not installed.\n`);
  return found;
}

beforeAll(() => {
  for (const shell of SHELLS) {
    const text = execFileSync(process.execPath, [PROGRAM, "completion", shell], {
      env: programEnv(folder),
    });
    writeFileSync(scriptOf(shell), text);
  }
  writeFileSync(join(folder, "my report.pdf"), "");
  // The scripts ask the program as it was typed.
  mkdirSync(join(folder, "bin"));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(folder, "bin", "knowledge-server"), program, { mode: 0o755 });
});
const PATH = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;

/** What is typed, and what a shell must offer for its last word. */
const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [["sear"], ["search"]],
  [["--data-dir", "/kb", "sco"], ["scopes"]],
  [["search", "--fo"], ["--format"]],
  [
    ["search", "--format", "doc"],
    ["docx", "doc"],
  ],
  [["scopes", "im"], ["import"]],
  [["scopes", "my"], []],
  [["scopes", "import", "my"], ["my report.pdf"]],
  [
    ["scopes", "--format", ""],
    ["json", "yaml"],
  ],
  [["--log-format", "te"], ["text"]],
  [["--allow-urls", "docto"], ["doctor"]],
  [["add", "my"], ["my report.pdf"]],
  [["search", "my"], []],
];

describe.skipIf(!has("bash"))("bash", () => {
  const run = `source "$SCRIPT"; COMP_WORDS=("knowledge-server" "$@"); COMP_CWORD=$#
    _knowledge_server; printf '%s\\n' "\${COMPREPLY[@]}"`;
  test.each(CASES)("%j is completed by %j", (words, offered) => {
    const env = { ...programEnv(folder), PATH, SCRIPT: scriptOf("bash") };
    const out = execFileSync("bash", ["--norc", "-c", run, "-", ...words], { cwd: folder, env });
    expect(String(out).split("\n").filter(Boolean)).toEqual(offered);
  });
});

describe.skipIf(!has("fish"))("fish", () => {
  test.each(CASES)("%j is completed by %j", (words, offered) => {
    const line = ["knowledge-server", ...words].join(" ");
    const script = `source '${scriptOf("fish")}'; complete -C '${line}'`;
    const env = { ...programEnv(folder), PATH, HOME: folder };
    const out = String(execFileSync("fish", ["--no-config", "-c", script], { cwd: folder, env }));
    const found = out.split("\n").filter(Boolean);
    expect(found.map((each) => each.split("\t")[0]?.replaceAll("\\", ""))).toEqual(offered);
  });
});

describe.skipIf(!HAS_SCRIPT || !has("zsh"))("zsh", () => {
  test("what is typed is completed, by commands and by options", async () => {
    const dump = join(folder, "zcompdump");
    const load = `PS1=; autoload -Uz compinit; compinit -u -d ${dump}; source ${scriptOf("zsh")}; echo rea''dy\n`;
    const { output } = await record(["zsh", "-f", "-i"], {
      columns: 80,
      cwd: folder,
      env: { ...programEnv(folder), PATH, HOME: folder },
      typed: [
        { after: /2004h/, keys: load },
        { after: /ready/, keys: "knowledge-server sear\t" },
        { after: /search/, keys: "--form\t" },
        { after: /--format/, keys: "doc\t" },
        { after: /docx/, keys: "\x15exit\n" },
      ],
    });
    expect(output).toMatch(/docx/);
  });
});

test("every command may come first, with what it does", () => {
  const run = (...args: readonly string[]) =>
    String(execFileSync(process.execPath, [PROGRAM, ...args], { env: programEnv(folder) }));
  const help = run("help");
  const section = help.slice(help.indexOf("Commands:"), help.indexOf("Options of"));
  const names = [...section.matchAll(/^ {2}(\w+) /gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(15);
  const offered = run("completion", "next", "--", "").trimEnd().split("\n");
  expect(offered.map((each) => each.split("\t")[0])).toEqual(names);
  for (const each of offered) expect(each).toMatch(/\t\S/);
});
