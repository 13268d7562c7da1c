import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";
import { parseCsv } from "./plain.ts";

describe("Markdown", () => {
  const text =
    "---\ntitle: The guide\n---\n\n# One\n\ntext\nmore\n\n```sh\n# not a heading\n```\n\n- a\n\n- b\n  c\n\n> quote\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nTwo\n---\n";

  test("is kept unchanged, and its blocks are found", async () => {
    const document = await readHere("guide.md", text);
    expect(document.text).toBe(text.trim());
    expect(document.title).toBe("The guide");
    const kinds = document.blocks.map((block) => block.kind);
    expect(kinds).toEqual([
      "code",
      "heading",
      "paragraph",
      "code",
      "list",
      "note",
      "table",
      "heading",
    ]);
    const table = document.blocks[6];
    expect(document.text.slice(table?.headerEnd, table?.end)).toBe("| 1 | 2 |");
  });

  test("has its front matter as metadata", async () => {
    const found = await readHere("a.md", "---\ntags: [x, y]\ndate: 2025-01-31\n---\nText.\n");
    expect(found.metadata).toEqual({ tags: ["x", "y"], date: "2025-01-31" });
    const bomb = "---\na: &a [x]\nb: [*a, *a]\n---\nText.\n";
    for (const none of [
      bomb,
      "---\n- a\n---\nText.",
      "---\na: [\n---\nText.",
      "Text.\n---\na: 1\n---",
    ])
      expect((await readHere("a.md", none)).metadata).toBeUndefined();
  });
});

describe("CSV", () => {
  test.each([
    [
      'a,"b, c"\nd,"e\ne"',
      ",",
      [
        ["a", "b, c"],
        ["d", "e\ne"],
      ],
    ],
    ['"say ""hi""",x', ",", [['say "hi"', "x"]]],
    [
      "a;b;\nc;;d",
      ";",
      [
        ["a", "b", ""],
        ["c", "", "d"],
      ],
    ],
    ['"open', ",", [["open"]]],
  ])("%j splits into its cells", (text, mark, rows) => {
    expect(parseCsv(text, mark)).toEqual(rows);
  });

  test("finds its own delimiter", async () => {
    expect((await readHere("x.csv", "a;b\n1,5;2\n")).text).toContain("| 1,5 | 2 |");
  });
});

describe("JSON", () => {
  test("of records becomes a table, anything else stays code", async () => {
    expect((await readHere("x.jsonl", '{"a":1}\n{"a":2,"b":"x"}\n')).text).toContain("| 2 | x |");
    expect((await readHere("x.json", '{"a":{"b":[1]}}')).blocks[0]?.kind).toBe("code");
  });

  test("with fields that every object has shows only those that a record has itself", async () => {
    const { text } = await readHere("x.json", '[{"a":1},{"a":2,"constructor":"x","toString":3}]');
    expect(text).toContain("| 1 |  |  |");
    expect(text).not.toContain("native code");
  });

  test("that is broken is refused", async () => {
    await expect(readHere("x.json", '{"a":')).rejects.toMatchObject({ code: "CORRUPT_FILE" });
  });
});
