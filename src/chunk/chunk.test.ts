import { describe, expect, test } from "vitest";
import type { Block } from "../domain/document.ts";
import { type ChunkOptions, chunk, chunkFingerprint, nameText, searchText } from "./chunk.ts";
import { columns } from "./split.ts";

const SMALL: ChunkOptions = { size: 80 };

type Part = readonly [kind: Block["kind"], text: string, extra?: Partial<Block>];

function document(...parts: readonly Part[]) {
  let text = "";
  const blocks: Block[] = [];
  for (const [kind, content, extra = {}] of parts) {
    if (text !== "") text += "\n\n";
    const start = text.length;
    text += content;
    const headerEnd = extra.headerEnd === undefined ? {} : { headerEnd: start + extra.headerEnd };
    blocks.push({ kind, start, end: text.length, place: {}, ...extra, ...headerEnd });
  }
  return { text, blocks };
}

describe("a chunk", () => {
  test("repeats no more of a heading than fits a chunk, even if a whole page is one", () => {
    const page = "𠮷 All of this is marked as a heading. ".repeat(1_000);
    const body = "Each of these sentences is in some chunk. ".repeat(500);
    const made = chunk(document(["heading", `# ${page}`, { level: 1 }], ["paragraph", body]));
    expect(made.length).toBeGreaterThan(30);
    expect(Math.max(...made.flatMap(({ headings }) => headings.map((each) => each.length)))).toBe(
      500,
    );
    expect(made.flatMap(({ headings }) => headings).every((each) => each.isWellFormed())).toBe(
      true,
    );
  });

  test("has the headings above it", () => {
    const made = chunk(
      document(
        ["heading", "# Guide", { level: 1 }],
        ["heading", "## Ports", { level: 2 }],
        ["paragraph", "The server listens on port 3000 unless another is given."],
        ["heading", "## Logs", { level: 2 }],
        ["paragraph", "Lines go to standard error."],
      ),
      SMALL,
    );
    expect(made.map((one) => one.headings)).toEqual([
      ["Guide", "Ports"],
      ["Guide", "Logs"],
    ]);
  });

  test("of a table's later rows repeats the table's header", () => {
    const header = "| Name | Price |\n| --- | --- |\n";
    const rows = ["| Apple | 2 |", "| Pear | 3 |", "| Plum | 4 |", "| Fig | 5 |"].join("\n");
    const made = chunk(document(["table", header + rows, { headerEnd: header.length }]), SMALL);
    expect(made.length).toBeGreaterThan(1);
    expect(made[0]?.tableHeader).toBeUndefined();
    expect(made[1]?.tableHeader).toBe(header.trim());
  });

  test("never spans two pages, slides or sheets", () => {
    const made = chunk(
      document(
        ["paragraph", "End of one.", { place: { page: 1 } }],
        ["paragraph", "Start of two.", { place: { page: 2 } }],
      ),
      SMALL,
    );
    expect(made.map((one) => one.place)).toEqual([{ page: 1 }, { page: 2 }]);
  });

  test("keeps a heading at the end of a page with the text below it", () => {
    const [first] = chunk(
      document(
        ["heading", "# Terms", { level: 1, place: { page: 1 } }],
        ["paragraph", "They hold for a year.", { place: { page: 2 } }],
      ),
      SMALL,
    );
    expect(first).toMatchObject({ place: { page: 1 }, until: { page: 2 } });
  });

  test("of long prose ends at the end of a sentence", () => {
    const prose =
      "The tide turns at six. Boats leave the harbour soon after. Nets are cast before noon. All return by night.";
    for (const { text } of chunk(document(["paragraph", prose]), SMALL))
      expect(text).toMatch(/\.$/);
  });

  test("of Japanese prose ends at the end of a sentence too", () => {
    const prose =
      "潮は六時に変わります。船はまもなく港を出ます。網は昼前に入れます。夜にはみな戻ります。";
    for (const { text } of chunk(document(["paragraph", prose]), { size: 50 })) {
      expect(text).toMatch(/。$/);
    }
  });

  test("is found by its title, headings and table header, none of them twice", () => {
    const text = searchText(
      { text: "## Ports\n\nListens on 3000.", headings: ["Guide", "Ports"], tableHeader: "| A |" },
      { title: "Guide" },
    );
    expect(text).toBe("Guide\n| A |\n## Ports\n\nListens on 3000.");
  });
});

test.each([
  [{ filename: "ja-rpo-rto.png" }, "ja-rpo-rto\npng"],
  [{ filename: "a.pdf", sourcePath: "/home/ann/docs/hr/2024/a.pdf" }, "a\npdf\ndocs\nhr\n2024"],
  [{ filename: "b.v2.docx", sourcePath: "C:\\Team\\b.v2.docx" }, "b.v2\ndocx\nC:\nTeam"],
  [{ filename: ".gitignore" }, ".gitignore"],
  [{ filename: "Makefile", sourcePath: "Makefile" }, "Makefile"],
  [
    { filename: "a.md", metadata: { $filename: ["b.txt"] }, sourcePath: "/x/b.txt" },
    "a\nmd\nb\ntxt\nx",
  ],
])("%j is named by its file name and nearest folders", (document, text) => {
  expect(nameText(document)).toBe(text);
});

test("a full-width character takes two columns", () => {
  expect(columns("ab漢字", 0, 4)).toBe(6);
});

test("another chunk size makes stored chunks stale", () => {
  expect(chunkFingerprint(SMALL)).not.toBe(chunkFingerprint({ ...SMALL, size: 81 }));
});

test.each([
  ["lines", "a line of words that goes on\n"],
  ["sentences", "A sentence of words that goes on. "],
  ["full-width sentences", "全角の文はここで終わります。"],
  ["unbroken letters", "𠮷x"],
])("a block of many portions is covered completely: %s", (_name, part) => {
  const text = part.repeat(Math.ceil(200_000 / part.length));
  const made = chunk(document(["paragraph", text]));
  expect(
    made
      .map((one) => one.text)
      .join("")
      .replace(/\s/g, ""),
  ).toBe(text.replace(/\s/g, ""));
  expect(made.every((one) => one.text.isWellFormed() && one.text.length <= 500)).toBe(true);
});

test("a header of thousands of columns is not repeated in every chunk of its table", () => {
  const cells = (name: string, count: number) =>
    `| ${Array.from({ length: count }, (_, at) => `${name}${at}`).join(" | ")} |`;
  const header = `${cells("column", 3_000)}\n| --- |`;
  const text = `${header}\n${cells("a", 3_000)}\n${cells("b", 3_000)}`;
  const table: Block = {
    kind: "table",
    start: 0,
    end: text.length,
    headerEnd: header.length + 1,
    place: {},
  };
  const cut = chunk({ text, blocks: [table] });
  const stored = cut.reduce(
    (sum, each) => sum + each.text.length + (each.tableHeader?.length ?? 0),
    0,
  );
  expect(stored).toBeLessThan(text.length * 1.1);
  expect(Math.max(...cut.map((each) => each.text.length))).toBeLessThan(5_000);
});
