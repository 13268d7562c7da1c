// Drawings that are painted and read by OCR, which takes longer than a unit test may.
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";

// Letters as drawing programs write them when text is converted to outlines: strokes and areas, no text.
const LETTERS =
  "M10 10v60h34 M64 10v60 M84 10h44M106 10v60 M144 10h44M166 10v60 M204 10v60h34 M258 10v60h34M258 10h34M258 40h26";

describe("a drawing", () => {
  test("whose letters are outlines is painted, with its groups, styles and reused parts, and read", async () => {
    const drawn = `<style>.ink{stroke:#113355;fill:none}</style><defs><g id="word"><path class="ink" stroke-width="8" d="${LETTERS}" transform="scale(.5)"/></g></defs><rect width="400" height="120" fill="light-dark(#ffffff, var(--x))"/><g transform="translate(40 0) scale(2)"><use href="#word" x="2" y="10"/></g>`;
    const { text } = await readHere("drawing.svg", framed(drawn));
    expect(text).toBe("LITTLE");
  });

  test("with an embedded scan is read", async () => {
    const scan = await readFile(new URL("../../../test/fixtures/invoice.png", import.meta.url));
    const held = `<image width="400" height="120" href="data:image/png;base64,${scan.toString("base64")}"/>`;
    const { text } = await readHere("drawing.svg", framed(held));
    expect(text).toContain("INV-20417");
  });
});

function framed(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120">${content}</svg>`;
}
