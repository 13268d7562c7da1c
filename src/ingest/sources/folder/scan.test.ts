import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.ts";
import { type Message, toEnglish } from "../../../domain/phrases/messages.ts";
import { type ScanOptions, scanFolder } from "./scan.ts";

interface Case extends Pick<ScanOptions, "include" | "exclude"> {
  readonly files: Readonly<Record<string, string>>;
}

async function scan({ files, ...options }: Case) {
  const root = tempFolder("scan");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const unread: (readonly [string, string | undefined])[] = [];
  const onUnread = (path: string, reason?: Message) =>
    unread.push([path.slice(root.length + 1), reason && toEnglish(reason)]);
  const { signal } = new AbortController();
  const found = await scanFolder({ root, signal, onUnread, ...options });
  return { found: [...found.keys()].map((path) => path.slice(root.length + 1)).sort(), unread };
}

const notes = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, "x"]));

test("a deeper ignore file takes precedence, also for what is inside a folder that it keeps", async () => {
  const { found } = await scan({
    files: {
      ...notes("docs/build/a.md", "docs/build/b.md", "build/c.md", "d.md"),
      ".gitignore": "build/\n",
      "docs/.gitignore": "!build/\n",
      "docs/build/.knowledgeignore": "B.md\n",
    },
  });
  expect(found).toEqual(["d.md", "docs/build/a.md"]);
});

test("what is set to be included or excluded has the same syntax", async () => {
  const files = notes("a/x.md", "a/y.txt", "b/a/z.md", "b/x.txt", "c.md");
  expect((await scan({ files, include: ["/a/", "*.txt"] })).found).toEqual([
    "a/x.md",
    "a/y.txt",
    "b/x.txt",
  ]);
  expect((await scan({ files, exclude: ["a/", "!c.md", "x.*"] })).found).toEqual(["c.md"]);
});

test("rules beyond the limits are left out, and reported", async () => {
  const long = "a".repeat(501);
  const many = `${"b".repeat(400)}\n`.repeat(200);
  const { found, unread } = await scan({
    files: {
      ...notes("x.md", "y.md"),
      ".gitignore": `${long}\nx.md\n${many}`,
      "in/.gitignore": "z\n",
    },
  });
  expect(found).toEqual(["y.md"]);
  const reason = expect.stringMatching(/^3[78] of the folder's ignore rules are not used/);
  expect(unread).toEqual([[".gitignore", reason]]);
});

test("a folder below too many others is left out, and reported", async () => {
  const way = (folders: number) => "d/".repeat(folders);
  const { found, unread } = await scan({ files: notes(`${way(100)}a.md`, `${way(101)}b.md`) });
  expect(found).toEqual([`${way(100)}a.md`]);
  expect(unread).toEqual([[way(101).slice(0, -1), expect.stringContaining("100 folders deep")]]);
});

test("other work gets its turn while hostile rules are matched", async () => {
  const files = notes(...Array.from({ length: 60 }, (_, at) => `${"a".repeat(200)}${at}.md`));
  const turns = { taken: 0, isDone: false };
  const takeTurn = () => {
    turns.taken += 1;
    if (!turns.isDone) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  await scan({ files: { ...files, ".gitignore": `${"*a".repeat(200)}*b\n`.repeat(20) } });
  turns.isDone = true;
  expect(turns.taken).toBeGreaterThan(10);
});
