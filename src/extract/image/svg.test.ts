import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";
import { svgPage } from "./paint/svg-page.ts";

const read = (content: string, before = "") =>
  readHere(
    "drawing.svg",
    `${before}<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80">${content}</svg>`,
  );

describe("a drawing", () => {
  test("of draw.io is read from its rich text, not from the truncated copy", async () => {
    const { text } = await read(
      '<g><switch><foreignObject><div xmlns="http://www.w3.org/1999/xhtml" style="font-size: 0px"><div style="font-size: 12px">Resource permissions for all</div></div></foreignObject><text>Resource permi...</text></switch></g><text>Text is not SVG - cannot display</text>',
    );
    expect(text).toBe("Resource permissions for all");
  });

  test("shows its title, description and labels, but not its definitions", async () => {
    const { text, title } = await read(
      '<title>Flow</title><desc>How orders move.</desc><defs><text>unused</text></defs><text>Order<tspan dy="12">service</tspan></text>',
    );
    expect(title).toBe("Flow");
    expect(text).toBe("# Flow\n\nHow orders move.\n\nOrder service");
  });

  test("may declare the plain entities of drawing programs", async () => {
    const { text } = await read(
      "<text>Hull</text>",
      '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>',
    );
    expect(text).toBe("Hull");
  });

  test.each([
    ['<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>'],
  ])("is refused with entities that refer elsewhere: %s", async (doctype) => {
    await expect(read("<text>&x;</text>", doctype)).rejects.toMatchObject({ code: "CORRUPT_FILE" });
  });

  test("without shapes is a blank page, which is not read", async () => {
    expect(svgPage(framed('<title>Flow</title><path fill="none" d="M0 0h9"/>'))?.isBlank).toBe(
      true,
    );
    expect(svgPage(framed('<path d="M0 0h9v9z"/>'))?.isBlank).toBe(false);
    expect((await read("<title>Flow</title>")).text).toBe("# Flow");
  });

  test("whose parts repeat each other without end is refused", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`,
    );
    const drawn = `<defs><path id="g0" d="M0 0h9"/>${levels.join("")}</defs><use href="#g12"/>`;
    await expect(readHere("drawing.svg", framed(drawn))).rejects.toMatchObject({
      code: "EXTRACTION_LIMIT",
    });
  });
});

function framed(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120">${content}</svg>`;
}
