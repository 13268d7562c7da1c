// The documents family for people: each command runs as its own process on one data folder.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { paint } from "../support/files/picture.ts";
import { makeZip } from "../support/files/zip.ts";
import { programEnv, programLine } from "../support/process.ts";
import { connect } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder = "";
let files = "";

beforeAll(async () => {
  folder = tempFolder("documents-cli");
  files = join(folder, "files");
  await mkdir(join(files, "deep"), { recursive: true });
  await mkdir(join(files, "node_modules"));
  await writeFile(join(files, "tides.md"), "# Tides\n\nThe moon lifts the sea twice a day.\n");
  await writeFile(join(files, "deep", "winds.txt"), "Trade winds blow from the east.");
  await writeFile(join(files, "node_modules", "skip.txt"), "Nobody wants this.");
  await writeFile(join(files, ".env"), "SECRET=1");
  await writeFile(join(files, "deep", "ledger.txt"), "The moon is not mentioned here.");
  await writeFile(join(files, ".gitignore"), "ledger.txt\n");
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...args: string[]) => runIn(folder, ...args);

/** On the knowledge base of this home folder. */
const runIn = (home: string, ...args: string[]) => runWith(programEnv(home), home, ...args);

function runWith(env: NodeJS.ProcessEnv, home: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: home, env };
    execFile(process.execPath, programLine(args, home), options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

async function json<Payload>(...args: string[]): Promise<Payload> {
  const { stdout, stderr } = await run(...args, "--json");
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout) as Payload;
}

test.each(["search", "answer"])(
  "%s of an empty knowledge base shows the command that fills it",
  async (command) => {
    const { code, stdout, stderr } = await run(command, "tides");
    expect(stderr).toContain("The knowledge base is empty. Add files to it: knowledge-server add");
    expect(stdout).toBe("");
    expect(code).toBe(3);
  },
);

test.each([
  [["search", "x", "--top-k", "abc"], "--top-k takes a whole number from 1 to 50."],
  [["search", "x", "--formt", "pdf"], "Unknown option '--formt'. Did you mean --format?\nUsage: "],
  [["help", "serch"], "There is no command 'serch'."],
  [["serch"], "There is no command 'serch'. Did you mean search?"],
  [["scopes", "improt"], "Did you mean import"],
  [
    ["scopes", "frob"],
    "There is no scopes command 'frob'. Use import, export, show, check, list, tree, move: knowledge-server help scopes.",
  ],
  [["search", "x", "--format", "exe"], "--format: must be one of pdf,"],
  [["show", "--sort-by", "foo"], "--sort-by: must be one of date_added, filename, size."],
  [["extract", "files"], "FILE: this is a folder; pass one file."],
])("%j is bad usage: exit code 2, explained on stderr alone", async (args, words) => {
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).toContain(words);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("an id of no task is not found, and the list of them is named", async () => {
  const { code, stderr } = await run("tasks", "--cancel", "zzz");
  expect(stderr).toContain("There is no task 'zzz'. Run 'knowledge-server tasks' to list them.");
  expect(code).toBe(3);
});

describe("one after another", () => {
  test("add walks a folder, and leaves out what is ignored, hidden or secret", async () => {
    const { code, stdout } = await run("add", files, "--tag", "sea");
    expect(stdout).toMatch(/tides\.md\s+added/);
    expect(stdout).toMatch(/deep\/winds\.txt\s+added/);
    expect(stdout).toContain("2 added");
    expect(stdout).not.toMatch(/skip|env|ledger/);
    expect(code).toBe(0);
  });

  test("add reports what is already present, and fails when a file fails", async () => {
    const broken = join(folder, "broken.pdf");
    await writeFile(broken, "no PDF at all");
    const { code, stdout, stderr } = await run("add", files, broken);
    expect(stdout).toContain("0 added, 2 already there, 1 failed");
    expect(stderr).toContain("broken.pdf: ");
    expect(code).toBe(1);
  });

  test("search finds by meaning and shows where", async () => {
    const asked = ["search", "how often does the ocean rise?", "--tag", "sea"];
    // Little of a text this short is like the question, so the match is weak.
    expect((await run(...asked)).stderr).toContain("pass --min-relevance 0 to see them");
    const { stdout } = await run(...asked, "--min-relevance", "0");
    expect(stdout).toMatch(/^1\. tides\.md/);
    expect(stdout).toContain("The moon lifts the sea twice a day.");
    const none = await run("search", "anything", "--tag", "land");
    expect(none.stderr).toContain("No documents found matching your query");
    expect(none.code).toBe(0);
  });

  test("show lists, finds by name, and prints the text", async () => {
    const { documents } = await json<{ documents: { id: string; filename: string }[] }>("show");
    expect(documents.map(({ filename }) => filename).toSorted()).toEqual(["tides.md", "winds.txt"]);
    expect((await run("show", "tides.md", "--text")).stdout).toContain("# Tides");
    const one = await json<{ metadata: unknown }>("show", "winds.txt");
    expect(one.metadata).toEqual({ tags: ["sea"] });
  });

  test("status and tasks show documents, health and past adds", async () => {
    await eventually(async () =>
      expect(await json("status")).toMatchObject({
        knowledge_base: { document_count: 2 },
        health: { status: "healthy" },
      }),
    );
    const { stdout } = await run("tasks");
    expect(stdout).toMatch(/tides\.md\s+completed/);
    expect(stdout).toMatch(/broken\.pdf\s+failed/);
    expect(stdout).toMatch(/TIME\s+ADDED/);
  });

  test("remove and clear ask on a terminal and need --yes elsewhere", async () => {
    const refused = await run("remove", "tides.md");
    expect(refused.stderr).toContain("--yes");
    expect(refused.code).toBe(2);
    expect((await run("remove", "tides.md", "--yes")).stdout).toContain("Removed tides.md");
    expect((await run("remove", "tides.md", "--yes")).code).not.toBe(0);
    expect((await run("clear", "--yes")).stdout).toContain("Removed 1 document ");
    expect((await run("search", "sea")).stderr).toContain("knowledge base is empty");
  });
});

describe("an answer that no sentence gives", () => {
  const home = tempFolder("related");

  beforeAll(async () => {
    const tides = join(home, "潮汐.md");
    await writeFile(tides, "# 潮汐\n\n月の引力で海面が一日に二回上がります。\n");
    await runIn(home, "add", join(files, "deep", "winds.txt"), tides);
  });

  test.each([
    ["Which ships need the winds?", "No sentence answers this directly.", "A language model can"],
    [
      "月の引力で海面は何メートル上がりますか",
      "直接の答えは見つかりませんでした。",
      "言語モデルを使うと",
    ],
  ])("to %s has its heading and hint in that language", async (question, heading, hint) => {
    const { stdout, stderr } = await runIn(home, "answer", question);
    expect(stdout.startsWith(heading), stdout).toBe(true);
    expect(stdout).toContain("[1]");
    expect(stderr).toContain(hint);
    expect(stderr).toContain("KNOWLEDGE_LLM_URL");
  });
});

test("締め切り finds 提出期限, and 引越 finds 引っ越し", async () => {
  const home = tempFolder("synonyms");
  const others = Array.from({ length: 20 }, (_, at) => [
    `${at}.md`,
    `食堂の${at + 1}番目の献立を表示します。`,
  ]);
  const added: Record<string, string> = {
    ...Object.fromEntries(others),
    "form.md": "申請書の提出期限は金曜日の正午です。",
    "move.md": "引っ越しの連絡は総務まで。",
  };
  for (const [name, text] of Object.entries(added)) await writeFile(join(home, name), text);
  await runIn(home, "add", ...Object.keys(added));
  for (const [word, name] of [
    ["締め切り", "form.md"],
    ["引越", "move.md"],
  ] as const) {
    const { stdout, stderr } = await runIn(home, "search", word, "--json");
    expect([word, JSON.parse(stdout).results[0]?.filename, stderr]).toEqual([word, name, ""]);
  }
});

describe("a folder with files that are not added", () => {
  const home = tempFolder("mixed");
  const mixed = join(home, "mixed");

  test("only these: nothing to add, and they are named", async () => {
    await mkdir(mixed);
    await writeFile(join(mixed, "bundle.zip"), makeZip({ "note.md": "Bats sleep by day." }));
    const { stderr, code } = await runIn(home, "add", mixed);
    expect(stderr).toContain("Nothing to add: no supported documents were found.");
    const archive = join(mixed, "bundle.zip");
    expect(stderr).toContain(`Left out: 1 ZIP archive (add by name: ${archive})`);
    expect(code).toBe(0);
  });

  test("among others: they are counted after the sums, unless they were named too", async () => {
    await writeFile(join(mixed, "plain.txt"), "Owls hunt at night.");
    for (const name of ["a.exe", "b.bin"]) await writeFile(join(mixed, name), "x");
    const { stdout, stderr } = await runIn(home, "add", mixed);
    expect(stdout).toContain("1 added");
    expect(stderr).toMatch(/Left out: 1 ZIP archive \(.*\), 2 files of other formats/);
    const both = await runIn(home, "add", mixed, join(mixed, "bundle.zip"));
    expect(both.stderr).toContain("Left out: 2 files of other formats");
  });

  test("as JSON: a row for the folder says what was left out, and why", async () => {
    for (const [name, text] of Object.entries({ ".env": "x", "old.md": "x", "none.md": "" }))
      await writeFile(join(mixed, name), text);
    await writeFile(join(mixed, ".knowledgeignore"), "old.md");
    const { stdout } = await runIn(home, "add", mixed, "--json");
    const left_out = { archives: 1, other_formats: 2, ignored: 1, hidden: 2, empty: 1 };
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ file: join(mixed, "plain.txt"), success: true }),
      { folder: mixed, left_out },
    ]);
  });

  test("under a Japanese locale, doctor and show name everything in Japanese", async () => {
    const env = { ...programEnv(home), LANG: "ja_JP.UTF-8" };
    const { stdout } = await runWith(env, home, "doctor");
    const english = stdout.split("\n").filter((line) => /^\W+[\w ]+:/u.test(line));
    const names = english.map((line) => /^\W+([\w ]+):/u.exec(line)?.[1]);
    expect(new Set(names)).toEqual(
      new Set(["Node", "OCR", "Claude Desktop", "Claude Code", "Cursor", "Kiro", "VS Code"]),
    );
    expect(stdout).toMatch(/文書の保存先: sqlite、文書 \d+ 件、/);
    expect(stdout).not.toMatch(/ (not|in order|from your|stored|none)\b/);
  });

  test("queued adds that nobody works on are named by doctor", async () => {
    const checks = async () => {
      const { stdout } = await runIn(home, "doctor", "--json");
      const findings = JSON.parse(stdout) as { readonly name: string }[];
      return findings.find(({ name }) => name === "queued adds");
    };
    expect(await checks()).toEqual({ name: "queued adds", state: "ok", detail: "none" });
    const store = new DatabaseSync(join(home, "data", "knowledge.db"));
    // As an add leaves it whose server was stopped.
    store.exec("UPDATE tasks SET status = 'queued', finished_at = NULL, result = NULL");
    store.close();
    expect(await checks()).toMatchObject({
      state: "warn",
      detail: expect.stringMatching(/^\d+ waiting, 0 running$/),
      remedy: expect.stringContaining("knowledge-server http"),
    });
  });
});

test("four processes add and search at once, and nothing is lost", {
  timeout: 300_000,
}, async () => {
  const each = Array.from({ length: 4 }, (_, at) => at);
  await Promise.all(
    each.map(async (at) => {
      const own = join(folder, `own-${at}`);
      await mkdir(own);
      // In Japanese, which the model does not read: else each process would load it.
      for (let n = 0; n < 4; n += 1) {
        await writeFile(
          join(own, `${n}.txt`),
          `報告書${at}-${n}: beacon${at}x${n}が点灯しました。`,
        );
      }
      const added = await json<{ success: boolean; document_id: string }[]>("add", own);
      expect(added.filter(({ success }) => success)).toHaveLength(4);
      const found = await json<{ results: { document_id: string }[] }>("search", `beacon${at}x3`);
      expect(added.map(({ document_id }) => document_id)).toContain(found.results[0]?.document_id);
    }),
  );
  const { total_count } = await json<{ total_count: number }>("show");
  expect(total_count).toBe(16);
  for (const at of [0, 3]) {
    const found = await json<{ results: { chunk_text: string }[] }>("search", `beacon${at}x0`);
    expect(found.results[0]?.chunk_text).toContain(`beacon${at}x0`);
  }
});

test("a ZIP archive is added like a folder, and its failures are listed", async () => {
  const archive = join(folder, "notes.zip");
  const parts = {
    "reef.md": "Corals build reefs.",
    "deep/gulf.txt": "A gulf is wide.",
    "a.pdf": "x",
  };
  await writeFile(archive, makeZip(parts));
  const { code, stdout, stderr } = await run("add", archive);
  expect(stdout).toMatch(/notes\.zip\s+2 added, 1 failed/);
  expect(stdout).toContain("\n2 added, 1 failed\n");
  expect(stderr).toContain("notes.zip/a.pdf: ");
  expect(code).toBe(1);
});

// Every run starts OCR anew, which a loaded machine takes long for.
describe("pictures without text", { timeout: 300_000 }, () => {
  const LINE = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M4 12h16"/></svg>';
  let icons = "";
  beforeAll(async () => {
    icons = join(folder, "icons");
    await mkdir(icons);
    await writeFile(join(icons, "dot.png"), await paint(48, 48, []).encode("png"));
    await writeFile(join(icons, "line.svg"), LINE);
    await writeFile(join(icons, "legend.md"), "The arrow leads to the next page.");
  });

  test("are one line of a folder's totals, and not a failure", async () => {
    const { code, stdout, stderr } = await run("add", icons);
    expect(stdout).toContain("\n1 added\n2 images without text skipped\n");
    expect(stdout).not.toMatch(/dot\.png|line\.svg|failed/);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("are counted separately for agents, and not a failure", async () => {
    const agent = await connect("stdio", { dataDir: join(folder, "data"), root: folder });
    try {
      const added = await agent.call("knowledge-add", { file_path: icons, async: false });
      const counts = { found: 3, added: 0, unchanged: 1, failed: 0, skipped: 2, failures: [] };
      expect(added).toMatchObject({ success: true, folder: counts });
    } finally {
      await agent.close();
    }
  });
});
