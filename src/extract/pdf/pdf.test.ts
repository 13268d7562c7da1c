import { describe, expect, test } from "vitest";
import { makePdf } from "../../../test/support/files/pdf.ts";
import { readHere } from "../../../test/support/read-here.ts";
import { plain, toPieces } from "./blocks.ts";
import { hyphenRestorer } from "./hyphens.ts";

const read = (bytes: Buffer) => readHere("file.pdf", bytes);

describe("a PDF", () => {
  test("shows a line that is repeated on every page once", async () => {
    const page = (text: string, number: number) => [
      text,
      { text: `Annual report of the harbour, page ${number}`, y: 40 },
    ];
    const topics = [
      "Cranes were replaced.",
      "Ferries ran on time.",
      "Fog closed the port twice.",
      "Fees did not change.",
    ];
    const { text, pages } = await read(
      makePdf(
        topics.map((topic, at) => page(`${topic} ${"More is said here. ".repeat(4)}`, at + 1)),
      ),
    );
    expect(text.match(/Annual report/g)).toHaveLength(1);
    expect(pages.map((one) => one.place)).toEqual([
      { page: 1 },
      { page: 2 },
      { page: 3 },
      { page: 4 },
    ]);
    for (const topic of topics) expect(text).toContain(topic);
  });

  test("of two columns is read one column after the other", async () => {
    const column = (words: string, x: number) =>
      Array.from({ length: 12 }, (_, at) => ({
        text: `${words} line ${at + 1} of the column`,
        x,
        y: 700 - at * 14,
      }));
    const { text } = await read(makePdf([[...column("Left", 60), ...column("Right", 330)]]));
    expect(text.indexOf("Left line 12")).toBeLessThan(text.indexOf("Right line 1 "));
  });

  test("that needs a password is refused as encrypted", async () => {
    const bytes = makePdf([["Secret."]]).toString("latin1");
    const secret = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >> /ID [<00><00>]`;
    const locked = bytes.replace("/Root 1 0 R", `/Root 1 0 R ${secret}`);
    await expect(read(Buffer.from(locked, "latin1"))).rejects.toMatchObject({
      code: "ENCRYPTED_FILE",
      message: expect.stringContaining("password"),
    });
  });

  test("that is damaged is refused as damaged", async () => {
    await expect(read(Buffer.from("%PDF-1.4\nnothing"))).rejects.toMatchObject({
      code: "CORRUPT_FILE",
    });
  });
});

describe("the layout of a page", () => {
  test("is joined where it cut a sentence or an item in two", () => {
    const box = (y: number) => ({ x: 50, y, width: 400, height: 12 });
    const pieces = toPieces([
      { kind: "list_item", text: "hold the line", level: 0, bbox: box(100) },
      { kind: "paragraph", text: "until it is free.", bbox: box(114) },
      { kind: "paragraph", text: "Next one", bbox: box(160) },
    ]);
    expect(pieces).toEqual([
      { kind: "list", items: [{ text: "hold the line until it is free.", depth: 0 }] },
      { kind: "paragraph", text: "Next one" },
    ]);
  });

  test("loses its emphasis and escapes, because text is quoted verbatim", () => {
    expect(plain("**IA32\\_EFER**.*LMA* = 1 \\*2 ........ 12")).toBe("IA32_EFER.LMA = 1 *2 … 12");
    expect(plain("文書 の途中 a b")).toBe("文書の途中 a b");
  });

  test("gives compounds their hyphen back where the document shows that they have one", () => {
    const restored = hyphenRestorer([
      "a dual-\nencoder for open-domain questions, the dual-encoder,",
      "re-\ntrieval and co-operate, cooperate",
    ]);
    const paragraph = (text: string) => ({ kind: "paragraph", text }) as const;
    expect(restored(paragraph("Dualencoder, opendomain, retrieval, cooperate"))).toEqual(
      paragraph("Dual-encoder, open-domain, retrieval, cooperate"),
    );
  });

  test("keeps the entries of a table of contents apart", () => {
    const joined = "1 Scope ........ 8 1.1 Terms ........ 10 2 Rules ........ 12";
    expect(plain(joined)).toBe("1 Scope … 8\n1.1 Terms … 10\n2 Rules … 12");
    expect(plain("He waited ...... 12 days went by.")).toBe("He waited … 12 days went by.");
  });
});
