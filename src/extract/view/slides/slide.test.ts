import { describe, expect, test } from "vitest";
import {
  makePptx,
  part,
  relations,
  type Slide as SlideParts,
} from "../../../../test/support/files/office.ts";
import { DEFAULT_LIMITS } from "../../limits.ts";
import { drawSlide } from "./slide.ts";

const EMU = 12_700;
const PNG = Buffer.from("iVBORw0KGgo=", "base64");

const at = (x: number, y: number, width: number, height: number, more = "") =>
  `<a:xfrm ${more}><a:off x="${x * EMU}" y="${y * EMU}"/><a:ext cx="${width * EMU}" cy="${height * EMU}"/></a:xfrm>`;
const text = (runs: string, body = "", paragraph = "") =>
  `<p:txBody><a:bodyPr ${body}/><a:p>${paragraph}${runs}</a:p></p:txBody>`;
const run = (words: string, properties = "") =>
  `<a:r><a:rPr ${properties}/><a:t>${words}</a:t></a:r>`;
const box = (properties: string, body = "", placeholder = "", style = "") =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${properties}</p:spPr>${style}${body}</p:sp>`;

const draw = async (shapes: string, slide: Partial<SlideParts> = {}, parts = {}) => {
  const drawn = await drawSlide(makePptx([{ ...slide, shapes }], parts), 1, DEFAULT_LIMITS);
  if (drawn === undefined) throw new Error("There is no slide.");
  return drawn;
};

const THEME = part(
  "a:theme",
  '<a:themeElements><a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="112233"/></a:dk1><a:accent1><a:srgbClr val="aa0000"/></a:accent1></a:clrScheme></a:themeElements>',
);
/** A layout and a master below the slide, with the given content. */
const below = (layout: string, master: string, styles = "") => ({
  "ppt/slideLayouts/slideLayout1.xml": part(
    "p:sldLayout",
    `<p:cSld><p:spTree>${layout}</p:spTree></p:cSld>`,
  ),
  "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relations({
    rM: ["slideMaster", "../slideMasters/slideMaster1.xml"],
  }),
  "ppt/slideMasters/slideMaster1.xml": part(
    "p:sldMaster",
    `<p:cSld><p:spTree>${master}</p:spTree></p:cSld><p:txStyles>${styles}</p:txStyles>`,
  ),
  "ppt/slideMasters/_rels/slideMaster1.xml.rels": relations({
    rT: ["theme", "../theme/theme1.xml"],
  }),
  "ppt/theme/theme1.xml": THEME,
});
const ON_LAYOUT = {
  relations: { rL: ["slideLayout", "../slideLayouts/slideLayout1.xml"] },
} as const;

describe("a slide", () => {
  test("has its text where and as large as the file says", async () => {
    const { svg, words, width, height } = await draw(
      box(at(100, 50, 400, 60), text(run("Blades spin", 'sz="2400" b="1"'))),
    );
    expect([width, height]).toEqual([720, 540]);
    expect(svg).toMatch(/<text font-size="24"[^>]*font-weight="bold"[^>]*>Blades spin<\/text>/);
    expect(words.map((word) => word.text)).toEqual(["Blades", "spin"]);
    expect(words[0]).toMatchObject({ x: 107.2 });
    expect(words[0]?.y).toBeGreaterThan(50);
    expect((words[1]?.y ?? 0) + (words[1]?.height ?? 0)).toBeLessThan(110);
  });

  test("takes place, size and colour from its layout and master", async () => {
    const holder = '<p:ph type="title"/>';
    const { svg, words } = await draw(
      box("", text(run("Turbines")), holder),
      ON_LAYOUT,
      below(
        box(at(40, 30, 600, 80), text(run("Click to add")), holder) +
          box(`${at(0, 500, 720, 40)}<a:solidFill><a:schemeClr val="accent1"/></a:solidFill>`),
        "",
        '<p:titleStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4000"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:defRPr></a:lvl1pPr></p:titleStyle>',
      ),
    );
    expect(svg).toContain('font-size="40"');
    expect(svg).toContain('fill="#112233"');
    expect(svg).toContain('fill="#aa0000"');
    expect(svg).not.toContain("Click to add");
    const [word] = words;
    expect((word?.x ?? 0) + (word?.width ?? 0) / 2).toBeCloseTo(340, 0);
  });

  test("wraps long lines inside their box, Japanese ones too", async () => {
    const long = "点検".repeat(30);
    const { words } = await draw(box(at(0, 0, 200, 300), text(run(long, 'sz="2000"'))));
    expect(words.map((word) => word.text).join("")).toBe(long);
    expect(words.length).toBeGreaterThan(4);
    for (const { x, width } of words) expect(x + width).toBeLessThanOrEqual(200);
  });

  test("draws a table, a group and a picture", async () => {
    const cell = (words: string) =>
      `<a:tc>${text(run(words)).replaceAll("p:txBody", "a:txBody")}<a:tcPr/></a:tc>`;
    const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="${100 * EMU}"/><a:gridCol w="${100 * EMU}"/></a:tblGrid><a:tr h="${20 * EMU}">${cell("wren")}${cell("brown")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="${300 * EMU}" y="0"/><a:ext cx="${100 * EMU}" cy="${100 * EMU}"/><a:chOff x="0" y="0"/><a:chExt cx="${200 * EMU}" cy="${200 * EMU}"/></a:xfrm></p:grpSpPr>${box(`${at(0, 0, 200, 200)}<a:prstGeom prst="ellipse"/><a:solidFill><a:srgbClr val="00ff00"/></a:solidFill>`, text(run("inside")))}</p:grpSp>`;
    const picture = `<p:pic><p:blipFill><a:blip r:embed="rP"/></p:blipFill><p:spPr>${at(10, 400, 50, 50)}</p:spPr></p:pic>`;
    const { svg, words } = await draw(
      table + group + picture,
      { relations: { rP: ["image", "../media/image1.png"] } },
      { "ppt/media/image1.png": PNG },
    );
    expect(words.map((word) => word.text)).toEqual(["wren", "brown", "inside"]);
    const [wren, brown, inside] = words;
    expect(wren?.x).toBeLessThan(100);
    expect(brown?.x).toBeGreaterThanOrEqual(100);
    // Half of its stated size, and moved.
    expect(inside?.x).toBeCloseTo(303.6, 1);
    expect(svg).toContain('href="data:image/png;base64,iVBORw0KGgo="');
    expect(svg).toContain('fill="#00ff00"');
  });

  test("turns text, crops pictures and points with arrows", async () => {
    const turned = box(at(100, 100, 200, 40, 'rot="5400000"'), text(run("upright")));
    const picture = `<p:pic><p:blipFill><a:blip r:embed="rP"/><a:srcRect l="50000"/></p:blipFill><p:spPr>${at(0, 0, 50, 50)}</p:spPr></p:pic>`;
    const arrow = `${at(0, 0, 90, 0)}<a:prstGeom prst="line"/><a:ln><a:solidFill><a:srgbClr val="0000ff"/></a:solidFill><a:tailEnd type="triangle"/></a:ln>`;
    const { svg, words } = await draw(
      turned + picture + box(arrow),
      { relations: { rP: ["image", "../media/image1.png"] } },
      { "ppt/media/image1.png": PNG },
    );
    const [word] = words;
    expect(word?.height).toBeGreaterThan(word?.width ?? 0);
    // The box turns about its centre, so its beginning is 100 points above it.
    expect(word?.y).toBeCloseTo(120 - 100 + 7.2, 1);
    expect(svg).toContain('viewBox="0.5 0 0.5 1"');
    expect(svg).toMatch(/<path d="M0 0L90 0"[^>]* marker-end="url\(#a\d+\)"/);
  });

  test("contains no script and loads nothing, even if the file asks for it", async () => {
    const { svg } = await draw(
      box(at(0, 0, 300, 50), text(run('&lt;script&gt;alert(1)&lt;/script&gt;&#1;" onload="x'))) +
        box(
          `${at(0, 60, 300, 50)}<a:prstGeom prst="&quot;/&gt;&lt;script&gt;"/><a:solidFill><a:srgbClr val="&quot;onload=x"/></a:solidFill>`,
        ) +
        box(
          at(0, 120, 300, 50),
          text(`<a:r><a:rPr><a:latin typeface="x' onload='y"/></a:rPr><a:t>font</a:t></a:r>`),
        ) +
        `<p:pic><p:blipFill><a:blip r:embed="rE"/></p:blipFill><p:spPr>${at(0, 200, 10, 10)}</p:spPr></p:pic>`,
      { relations: { rE: ["image", "https://example.org/pixel.png"] } },
    );
    expect(svg).not.toMatch(/<script|\sonload=|https:\/\/example/);
    expect(svg).not.toContain("\u0001");
    expect(svg.match(/<(\w+)/g)?.every((tag) => /^<(svg|rect|path|text|g)$/.test(tag))).toBe(true);
  });

  test("is not drawn if its shapes have no position", async () => {
    await expect(draw(box("", text(run("nowhere"))))).rejects.toMatchObject({
      code: "RESOURCE_NOT_FOUND",
    });
  });

  test("is refused if it would never end", async () => {
    const many = box(
      `${at(0, 0, 1, 1)}<a:solidFill><a:srgbClr val="000000"/></a:solidFill>`,
    ).repeat(3_000);
    await expect(draw(many)).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  });

  test("is undefined past the last", async () => {
    expect(await drawSlide(makePptx([{ shapes: "" }]), 2, DEFAULT_LIMITS)).toBeUndefined();
  });
});
