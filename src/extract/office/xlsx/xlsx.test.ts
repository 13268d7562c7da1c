import { describe, expect, test } from "vitest";
import { makeXlsx, part, row } from "../../../../test/support/files/office.ts";
import { readHere } from "../../../../test/support/read-here.ts";
import type { ExtractLimits } from "../../limits.ts";

const read = (bytes: Buffer, limits: Partial<ExtractLimits> = {}) =>
  readHere("book.xlsx", bytes, limits);

describe("a workbook", () => {
  test("shows dates and amounts as the sheet does", async () => {
    const rows = `${row(1, ["s0", "s1"])}<row r="2"><c r="A2" s="1"><v>45981</v></c><c r="B2" s="2"><v>1234.5</v></c></row>`;
    const { text } = await read(
      makeXlsx({
        strings: ["Day", "Cost"],
        formats: ["yyyy/m/d", '"¥"#,##0.00'],
        sheets: [{ name: "S", rows }],
      }),
    );
    expect(text).toContain("| 2025/11/20 | ¥1234.50 |");
  });

  test("uses its cells, not the range that it declares", async () => {
    const rows = `${row(1, ["s0", "s1"])}<row r="1048576"><c r="XFD1048576" s="0"/></row>`;
    const { text } = await read(
      makeXlsx({
        strings: ["A", "B"],
        sheets: [{ name: "S", rows, after: '<dimension ref="A1:XFD1048576"/>' }],
      }),
    );
    expect(text).toBe("## S\n\n| A | B |\n| --- | --- |");
  });

  test("leaves out Japanese phonetic guides", async () => {
    const { text } = await read(
      makeXlsx({
        strings: ["<t>東京</t><rPh><t>トウキョウ</t></rPh>", "人口"],
        sheets: [{ name: "表", rows: row(1, ["s0", "s1"]) }],
      }),
    );
    expect(text).toContain("| 東京 | 人口 |");
    expect(text).not.toContain("トウキョウ");
  });

  test("can have several tables, each under its header", async () => {
    const rows =
      row(1, ["s0", "s1"]) + row(2, ["s2", 1]) + row(5, ["s3", "s4"]) + row(6, ["s2", 2]);
    const { blocks } = await read(
      makeXlsx({ strings: ["Name", "Age", "Ada", "Who", "Rank"], sheets: [{ name: "S", rows }] }),
    );
    expect(blocks.map((block) => block.kind)).toEqual(["heading", "table", "table"]);
  });

  test("includes its cell comments", async () => {
    const bytes = makeXlsx({
      strings: ["Name", "Age"],
      sheets: [
        {
          name: "S",
          rows: row(1, ["s0", "s1"]),
          relations: { rC: ["comments", "../comments1.xml"] },
        },
      ],
      parts: {
        "xl/comments1.xml": part(
          "comments",
          '<commentList><comment ref="B1"><text><r><t>In years.</t></r></text></comment></commentList>',
        ),
      },
    });
    expect((await read(bytes)).text).toContain("> **Comment on B1:** In years.");
  });

  test("is refused when a few strings expand to a flood of text", async () => {
    const cells = Array.from({ length: 400 }, (_, at) => row(at + 1, ["s0", "s0"])).join("");
    const bytes = makeXlsx({ strings: ["x".repeat(5_000)], sheets: [{ name: "S", rows: cells }] });
    await expect(read(bytes, { characters: 1_000_000 })).rejects.toMatchObject({
      code: "EXTRACTION_LIMIT",
    });
    await expect(read(bytes, { cells: 500 })).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  });
});
