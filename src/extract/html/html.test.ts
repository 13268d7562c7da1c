import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";

const read = (html: string | Buffer) => readHere("page.html", html);

describe("an HTML page", () => {
  test.each([
    ['<p style="display:none">hidden</p>'],
    ['<p style="visibility: hidden">hidden</p>'],
    ["<p hidden>hidden</p>"],
    ['<p aria-hidden="true">hidden</p>'],
    ['<div style="font-size:0">hidden</div>'],
    ['<p style="opacity:0">hidden</p>'],
    ['<p style="color:white;background:#fff">hidden</p>'],
    ['<p style="position:absolute;left:-9999px">hidden</p>'],
    ['<style>.x{display:none}</style><p class="x">hidden</p>'],
    ["<script>hidden</script><template>hidden</template><!-- hidden -->"],
  ])("does not show what a browser hides: %s", async (hidden) => {
    const { text } = await read(`<body><p>Seen.</p>${hidden}<p>Also seen.</p></body>`);
    expect(text).toBe("Seen.\n\nAlso seen.");
  });

  test("shows text that sets its size again inside a box of size zero", async () => {
    const { text } = await read(
      '<div style="font-size: 0px"> x <span style="font-size: 12px">Label</span></div>',
    );
    expect(text).toBe("Label");
  });

  test("keeps the main part and drops menus around it", async () => {
    const story = "The lighthouse keeper writes down every ship. ".repeat(12);
    const { text } = await read(
      `<header>Our site</header><nav>Home News</nav><main><h1>Log</h1><p>${story}</p></main><footer>Imprint</footer>`,
    );
    expect(text.startsWith("# Log")).toBe(true);
    expect(text).not.toMatch(/Our site|Home News|Imprint/);
  });

  test("keeps everything where no main part is marked", async () => {
    expect((await read("<div>One</div><div>Two</div>")).text).toBe("One\n\nTwo");
  });

  test("repeats a label over its rows and keeps both header rows together", async () => {
    const { text, blocks } = await read(
      '<table><tr><th rowspan="2">Region</th><th colspan="2">Sales</th></tr><tr><th>Q1</th><th>Q2</th></tr><tr><td>North</td><td>1</td><td>2</td></tr></table>',
    );
    const [table] = blocks;
    expect(text.slice(0, table?.headerEnd)).toBe(
      "| Region | Sales |  |\n| --- | --- | --- |\n| Region | Q1 | Q2 |\n",
    );
    expect(text.slice(table?.headerEnd)).toBe("| North | 1 | 2 |");
  });

  test("reads a table in a table as page layout", async () => {
    const { text } = await read(
      "<table><tr><td>Menu</td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>",
    );
    expect(text).toBe("Menu\n\n| A | B |\n| --- | --- |\n| 1 | 2 |");
  });

  test("keeps a term and its definition in one block", async () => {
    const { text, blocks } = await read(
      "<dl><dt>-e</dt><dt>--edit</dt><dd><p>Opens the editor.</p><p>More.</p></dd><dt>-q</dt><dd>Says nothing.</dd></dl>",
    );
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      "-e\n\n--edit\n\nOpens the editor.",
      "More.",
      "-q\n\nSays nothing.",
    ]);
  });

  test("keeps lists, their numbers and their depth", async () => {
    const { text } = await read(
      "<ol start=3><li>Three<ul><li>Inner</li></ul></li><li>Four</li></ol>",
    );
    expect(text).toBe("3. Three\n  - Inner\n4. Four");
  });

  test("is refused when it is nested too deeply", async () => {
    await expect(read("<div>".repeat(1_200))).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  });
});

describe("charsets", () => {
  const japanese = "<p>日本語のページです。ひらがなとカタカナ。</p>";
  const encoded: Readonly<Record<string, string>> = {
    shift_jis: "3c703e93fa967b8cea82cc83798357837782c582b781423c2f703e",
    "euc-jp": "3c703ec6fccbdcb8eca4cea5daa1bca5b8a4c7a4b9a1a33c2f703e",
  };

  test.each(Object.entries(encoded))(
    "%s is recognised without being declared",
    async (charset, hex) => {
      const bytes = Buffer.from(hex, "hex");
      expect((await read(bytes)).text).toBe(new TextDecoder(charset).decode(bytes).slice(3, -4));
    },
  );

  test("UTF-16 is recognised with and without a byte order mark", async () => {
    const wide = Buffer.from(
      `<html><body>${japanese}<p>plain words for the zeros in between</p></body></html>`,
      "utf16le",
    );
    expect((await read(wide)).text).toContain("日本語のページ");
    expect((await read(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).text).toContain(
      "日本語のページ",
    );
  });

  test("a declared charset is used, and windows-1252 as the last resort", async () => {
    expect((await read(Buffer.from("<p>caf\u00e9 \u0080 5</p>", "latin1"))).text).toBe("café € 5");
    const greek = Buffer.concat([
      Buffer.from('<meta charset="iso-8859-7"><p>'),
      Buffer.from([0xe1, 0xe2, 0xe3]),
    ]);
    expect((await read(greek)).text).toBe("αβγ");
  });

  test("a few broken bytes do not make UTF-8 another charset", async () => {
    const bytes = Buffer.concat([
      Buffer.from("<p>größer, schöner, weiter "),
      Buffer.from([0xff]),
      Buffer.from("</p>"),
    ]);
    expect((await read(bytes)).text).toContain("größer, schöner");
  });
});
