// Commands recorded on terminals of 80 and 120 columns: nothing is wider than the terminal, Ctrl-C shows what
// is left, and a pipe gets no control sequences.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { widthOf } from "../../src/text/width.ts";
import { programEnv, programLine } from "../support/process.ts";
import { HAS_SCRIPT, type PtyOptions, record, stretchesOf } from "../support/pty.ts";
import { tempFolder } from "../support/temp-folder.ts";

const WIDTHS = [80, 120] as const;
const folder = tempFolder("terminal");
const files = join(folder, "files");
const many = join(folder, "many");
/** More than are added before somebody has read that a few were, on any machine. */
const MANY = 80;
const LONG_NAME = `${"a-report-with-quite-a-long-name-".repeat(4)}.md`;

beforeAll(() => {
  for (const path of [files, many]) mkdirSync(path);
  const sentence =
    "The moon lifts the sea twice a day, and the wind has a share in how high it comes. ";
  writeFileSync(join(files, "tides.md"), `# Tides\n\n## Why they rise\n\n${sentence.repeat(8)}\n`);
  writeFileSync(
    join(files, LONG_NAME),
    `# Winds\n\n${"Trade winds blow from the east. ".repeat(9)}`,
  );
  writeFileSync(
    join(files, "潮汐.md"),
    `# 潮汐\n\n${"月は一日に二度、海を持ち上げます。".repeat(12)}\n`,
  );
  writeFileSync(join(files, "broken.pdf"), "no PDF at all");
  writeFileSync(join(folder, "id_rsa"), "not really one");
  for (let at = 0; at < MANY; at += 1)
    writeFileSync(join(many, `${at}.txt`), `${at} ${sentence}\n\n`.repeat(2_000));
});

const line = (args: readonly string[]) => [process.execPath, ...programLine(args, folder)];
const env = { ...programEnv(folder), KNOWLEDGE_SHARE: "off" };
const on = (columns: number, args: readonly string[], typed: PtyOptions["typed"] = []) =>
  record(line(args), { columns, cwd: folder, env, typed });
const inJapanese = (columns: number, args: readonly string[]) =>
  record(line(args), { columns, cwd: folder, env: { ...env, LANG: "ja_JP.UTF-8" } });

function expectToFit(output: string, columns: number): void {
  const wide = stretchesOf(output).filter((stretch) => widthOf(stretch) > columns);
  expect(wide).toEqual([]);
}

describe.skipIf(!HAS_SCRIPT).each(WIDTHS)("on %i columns", (columns) => {
  test("add shows progress, a table that fits, and why a file failed", async () => {
    const { code, output } = await on(columns, ["add", files, "--tag", `t${columns}`]);
    expectToFit(output, columns);
    expect(output).toMatch(/█|░/);
    expect(output).toMatch(/broken\.pdf: \S/);
    expect(output).toMatch(columns === 80 ? /3 added, 1 failed/ : /3 already there, 1 failed/);
    expect(code).toBe(1);
  });

  test.each([
    ["search", ["search", "why does the sea rise"], 0, /tides\.md/],
    ["a Japanese search", ["search", "潮汐"], 0, /潮汐\.md/],
    ["answer", ["answer", "How often does the moon lift the sea?"], 0, /twice a\s+day/],
    [
      "passages that may help",
      ["answer", "Which ships need the winds?"],
      0,
      /^No sentence answers this directly\. These passages may help\.$[\s\S]*\[1\]/mu,
    ],
    ["show", ["show"], 0, /PASSAGES/],
    ["one document", ["show", LONG_NAME], 0, /Format\s+MD/],
    ["help", ["help", "scopes"], 0, /Usage:/],
    ["the list of commands", ["help"], 0, /^ {2}sources {5}Keep sites/mu],
    ["status", ["status"], 0, /Health +healthy/],
    ["tasks", ["tasks"], 0, /STATUS/],
    ["no sources", ["sources", "list"], 0, /There are no sources yet/],
    ["a source that cannot be", ["sources", "add", "ftp://files"], 2, /--kind/],
    ["what is checked", ["doctor"], 0, /data folder: /],
    ["no rules", ["scopes", "list"], 0, /There are no scopes yet/],
    ["an option without its value", ["search", "x", "--format"], 2, /--format needs a value/],
    ["a switch with a value", ["add", "x", "--watch=yes"], 2, /--watch takes no value/],
    ["a wrong setting", ["http", "--port", "abc"], 2, /--port .*: must be a\s+number/],
    ["a secret", ["add", join(folder, "id_rsa")], 4, /never\s+added/],
    ["a misspelt command", ["serach", "x"], 2, /Did you mean search\?/],
    ["a misspelt option", ["search", "x", "--formatt", "pdf"], 2, /Did you mean --format\?/],
    ["a file that is not there", ["add", join(folder, LONG_NAME)], 3, /No such file/],
  ] as const)("%s fits", async (_name, args, expected, shows) => {
    const { code, output } = await on(columns, args);
    expectToFit(output, columns);
    expect(stripVTControlCharacters(output)).toMatch(shows);
    expect(code).toBe(expected);
  });
});

describe.skipIf(!HAS_SCRIPT).each(WIDTHS)("in Japanese on %i columns", (columns) => {
  test.each([
    ["help", ["help"], 0, /^使い方: /m],
    ["a command's help", ["help", "sources"], 0, /^オプション:[\s\S]*^例:/m],
    ["the settings", ["help", "settings"], 0, /優先順位/],
    ["add", ["add", join(files, "潮汐.md")], 0, /ファイル +結果 [\s\S]*(?:件を追加|登録済み)/],
    [
      "a file that cannot be read",
      ["add", join(files, "broken.pdf")],
      2,
      /broken\.pdf +失敗[\s\S]*broken\.pdf: 拡張子は/,
    ],
    ["show", ["show"], 0, /ID +ファイル/],
    ["one document", ["show", "潮汐.md"], 0, /^形式 +MD$[\s\S]*^読み取り +テキスト/m],
    ["status", ["status"], 0, /状態 +正常/],
    ["search", ["search", "海を持ち上げるもの"], 0, /潮汐\.md.*関連: /],
    ["an answer", ["answer", "月は海をどうしますか?"], 0, /\[1\] 潮汐\.md/],
    ["tasks", ["tasks"], 0, /状態/],
    ["no sources", ["sources", "list"], 0, /同期元はまだありません/],
    ["a source that cannot be", ["sources", "add", "ftp://files"], 2, /--kind で指定/],
    ["what is checked", ["doctor"], 0, /データフォルダー: /],
    ["no rules", ["scopes", "list"], 0, /スコープはまだありません/],
    ["an option without its value", ["search", "x", "--format"], 2, /--format に値を/],
    ["a switch with a value", ["add", "x", "--watch=yes"], 2, /--watch に値は指定できません/],
    ["a wrong setting", ["http", "--port", "abc"], 2, /--port .*: 数値を/],
    ["a secret", ["add", join(folder, "id_rsa")], 4, /機密情報/],
    ["a misspelt command", ["serach", "x"], 2, /もしかして: search/],
    ["a missing argument", ["move"], 2, /指定されていません。$[\s\S]*^使い方: /m],
    ["a file that is not there", ["add", join(folder, LONG_NAME)], 3, /がありません:/],
  ] as const)("%s fits", async (_name, args, expected, shows) => {
    const { code, output } = await inJapanese(columns, args);
    expectToFit(output, columns);
    expect(stripVTControlCharacters(output).replaceAll("\r", "")).toMatch(shows);
    expect(code).toBe(expected);
  });
});

describe.skipIf(!HAS_SCRIPT)("remove", () => {
  test("of a folder asks once, and removes what was added from it and below, and nothing else", async () => {
    const gone = join(folder, "gone");
    mkdirSync(join(gone, "below"), { recursive: true });
    mkdirSync(join(folder, "gone-not"));
    const texts = ["gone/a.md", "gone/below/b.md", "gone-not/c.md"];
    for (const name of texts) writeFileSync(join(folder, name), `# ${name}\n\n潮の話です。\n`);
    await on(80, ["add", gone, join(folder, "gone-not")]);
    const kept = await on(80, ["remove", gone], [{ after: /\[y\/N\]/, keys: "n\n" }]);
    expect(kept.output).toMatch(/Remove 2 documents added from [\s\S]*Kept /);
    const { code, output } = await on(80, ["remove", gone], [{ after: /\[y\/N\]/, keys: "y\n" }]);
    expect(code).toBe(0);
    expect(output).toMatch(/Removed /);
    expectToFit(output, 80);
    const { output: left } = await on(120, ["show", "--match", ".md"]);
    expect(left).toMatch(/c\.md/);
    expect(left).not.toMatch(/\b[ab]\.md/);
  });
});

describe.skipIf(!HAS_SCRIPT)("Ctrl-C", () => {
  test("in add reports what is left and how to continue", async () => {
    const typed = [{ after: new RegExp(`\\b[2-9]/${MANY}`), keys: "\x03" }];
    const { code, output } = await on(80, ["add", many], typed);
    expect(output).toMatch(/\d+ added, \d+ left; run it again to continue/);
    expect(output).not.toContain("failed");
    expect(code).toBe(130);
    expectToFit(output, 80);
  });

  test("ends a watch that has named each file as it was added, changed and removed", async () => {
    const watched = join(folder, "watched");
    mkdirSync(watched);
    // Japanese is not refined, so no model is being loaded when the watch ends. An empty folder is taken for a lost mount, and nothing is removed for that.
    writeFileSync(join(watched, "other.md"), "# 風\n\n東から吹きます。\n");
    writeFileSync(join(watched, "first.md"), "# 潮\n\n一日に二度です。\n");
    const first = join(watched, "first.md");
    const { code, output } = await on(
      80,
      ["add", watched, "--watch"],
      [
        {
          after: /added[^\n]*first\.md/,
          keys: () => writeFileSync(first, "# 潮\n\n一日に三度です。\n"),
        },
        { after: /changed[^\n]*first\.md/, keys: () => rmSync(first) },
        { after: /(?=.*removed[^\n]*first\.md).*up to date/s, keys: "\x03" },
      ],
    );
    expect(code).toBe(130);
    expectToFit(output, 80);
  });
});

test("in a pipe there are no control sequences and nothing is cut", () => {
  const [node = "", ...args] = line(["show"]);
  const { stdout, stderr } = spawnSync(node, args, { cwd: folder, env, encoding: "utf8" });
  expect(stdout).toContain(LONG_NAME);
  expect(stdout + stderr).toBe(stripVTControlCharacters(stdout + stderr));
  expect(stdout + stderr).not.toContain("\r");
});
