import { describe, expect, test } from "vitest";
import { makeOdf } from "../../../../test/support/files/odf.ts";
import { DEFAULT_LIMITS } from "../../limits.ts";
import { drawSlide } from "./slide.ts";

/** A PNG's signature is enough, because only the browser paints it. */
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const LAYOUT =
  '<office:automatic-styles><style:page-layout style:name="PM"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout><style:style style:name="Mdp" style:family="drawing-page"><style:drawing-page-properties draw:fill="solid" draw:fill-color="#112233"/></style:style></office:automatic-styles>';
const MASTER =
  '<office:master-styles><style:master-page style:name="M" style:page-layout-name="PM" draw:style-name="Mdp"><draw:frame presentation:class="title" svg:width="9cm" svg:height="1cm"><draw:text-box><text:p>Click to add a title</text:p></draw:text-box></draw:frame><draw:line svg:x1="0cm" svg:y1="1cm" svg:x2="28cm" svg:y2="1cm"/></style:master-page></office:master-styles>';

const at = (x: number, y: number) =>
  `svg:x="${x}cm" svg:y="${y}cm" svg:width="10cm" svg:height="2cm"`;
const frame = (inside: string, place = at(2, 5)) => `<draw:frame ${place}>${inside}</draw:frame>`;
const box = (text: string) => frame(`<draw:text-box>${text}</draw:text-box>`);

async function draw(shapes: string, options: Parameters<typeof makeOdf>[2] = {}, number = 1) {
  const page = `<draw:page draw:master-page-name="M">${shapes}</draw:page>`;
  const bytes = makeOdf("presentation", page, { styles: `${LAYOUT}${MASTER}`, ...options });
  return drawSlide(bytes, { format: "odp", page: number }, DEFAULT_LIMITS);
}

describe("a slide of OpenDocument", () => {
  test("has the size and background of its master, whose examples are not drawn", async () => {
    const slide = await draw(box("<text:p>Masts</text:p>"));
    expect(slide?.width).toBeCloseTo(793.7, 1);
    expect(slide?.svg).toContain("#112233");
    expect(slide?.svg).toContain("M0 28.35L793.7 28.35");
    expect(slide?.svg).not.toContain("Click to add");
  });

  test("has its text where the file puts it, in the file's size and colour", async () => {
    const automatic =
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-size="30pt" fo:color="#abcdef" fo:font-weight="bold"/></style:style>';
    const text = '<text:p>Masts <text:span text:style-name="T1">painted</text:span></text:p>';
    const slide = await draw(box(text), { automatic });
    expect(slide?.words.map((word) => word.text)).toEqual(["Masts", "painted"]);
    expect(slide?.words[0]?.x).toBeCloseTo((2 * 72) / 2.54 + 7.1, 0);
    expect(slide?.words[0]?.y).toBeGreaterThan((5 * 72) / 2.54);
    expect(slide?.svg).toContain("#abcdef");
    expect(slide?.svg).toContain('font-size="30"');
  });

  test("has bullets in lists, and numbers in numbered ones", async () => {
    const automatic =
      '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>';
    const items = "<text:list-item><text:p>One</text:p></text:list-item>".repeat(2);
    const list = `<text:list text:style-name="L1">${items}</text:list><text:list>${items}</text:list>`;
    const { svg = "" } = (await draw(box(list), { automatic })) ?? {};
    for (const mark of [">1.<", ">2.<", ">•<"]) expect(svg).toContain(mark);
  });

  test("shows pictures and tables, and placeholders for the rest", async () => {
    const image = (href: string) => frame(`<draw:image xlink:href="${href}"/>`);
    const cells = "<table:table-cell><text:p>Cell</text:p></table:table-cell>".repeat(2);
    const table = `<table:table><table:table-column table:number-columns-repeated="2"/><table:table-row>${cells}</table:table-row></table:table>`;
    const slide = await draw(`${image("Pictures/a.png")}${image("../a.svm")}${frame(table)}`, {
      more: { "Pictures/a.png": PNG },
    });
    expect(slide?.svg).toContain("data:image/png;base64,");
    expect(slide?.svg).toContain("stroke-dasharray");
    const [left, right] = slide?.words ?? [];
    expect((right?.x ?? 0) - (left?.x ?? 0)).toBeCloseTo((5 * 72) / 2.54, 0);
  });

  test("draws the first cells of a table that has too many", async () => {
    const cells = "<table:table-cell/>".repeat(50);
    const rows = `<table:table-row>${cells}</table:table-row>`.repeat(100);
    const column = '<table:table-column table:number-columns-repeated="1000000"/>';
    const slide = await draw(frame(`<table:table>${column.repeat(9)}${rows}</table:table>`));
    // The other two are the sheet and its background.
    expect(slide?.svg.match(/<rect/g)).toHaveLength(2_000 + 2);
  });

  test("is refused if its text has no position, and does not exist past the last", async () => {
    await expect(
      draw("<draw:frame><draw:text-box><text:p>Lost</text:p></draw:text-box></draw:frame>"),
    ).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    expect(await draw("", {}, 2)).toBeUndefined();
  });

  test("is inert: no script, style or address from the file", async () => {
    const slide = await draw(
      box("<text:p>&lt;script&gt;alert(1)&lt;/script&gt;</text:p>") +
        frame('<draw:image xlink:href="https://example.com/a.png"/>', at(1, 1)),
    );
    expect(slide?.svg).not.toMatch(/<script|<style|https:\/\/example/);
  });
});
