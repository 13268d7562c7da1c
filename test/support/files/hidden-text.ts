// One sentence that people cannot see, hidden in every way that a format allows, in files that also show something.
import { makePpt } from "./compound.ts";
import { makeEpub, makeOdf } from "./odf.ts";
import {
  makeDocx,
  makePptx,
  makeXlsx,
  paragraph,
  part,
  placedShape,
  row,
  shape,
} from "./office.ts";
import { makePdfPage, makeStream } from "./raw-pdf.ts";

export const SHOWN = "The garden has apples and pears in autumn.";

export interface HiddenCase {
  readonly name: string;
  readonly filename: string;
  readonly make: (secret: string) => Buffer | string;
  /** It is not kept apart. */
  readonly isMissed?: true;
}

type Made = Readonly<Record<string, (secret: string) => Buffer | string>>;

const cases = (filename: string, made: Made): readonly HiddenCase[] =>
  Object.entries(made).map(([name, make]) => ({ name, filename, make }));

const missed = (filename: string, made: Made): readonly HiddenCase[] =>
  cases(filename, made).map((each) => ({ ...each, isMissed: true }));

// PDF

const FONT = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>";
const STATES = "/ExtGState<</G<</ca 0/CA 0>>>>";
const PIXELS = "/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8";
const PICTURE = makeStream("abba", `/Type/XObject/Subtype/Image${PIXELS}`);
const RESOURCES = {
  resources: `${FONT}${STATES}/XObject<</I 4 0 R>>`,
  more: [PICTURE],
};
const show = (text: string, y = 700, size = 12, x = 50) =>
  `BT/F ${size} Tf ${x} ${y} Td(${text})Tj ET`;
const BODY = [760, 740, 720].map((y) => show(SHOWN, y)).join(" ");
const page = (content: string) => makePdfPage(`${BODY} ${content}`, RESOURCES);
const BOX = "40 690 500 30 re f";

const PDF: readonly HiddenCase[] = [
  ...cases("file.pdf", {
    "white on white": (secret) => page(`1 g ${show(secret)}`),
    "nearly white on white": (secret) => page(`.98 g ${show(secret)}`),
    "black on a black box": (secret) => page(`0 g ${BOX} ${show(secret)}`),
    "yellow on yellow": (secret) => page(`1 1 0 rg ${BOX} ${show(secret)}`),
    "half a point high": (secret) => page(show(secret, 700, 0.5)),
    "one point high": (secret) => page(show(secret, 700, 1)),
    "without ink": (secret) => page(`3 Tr ${show(secret)}`),
    transparent: (secret) => page(`/G gs ${show(secret)}`),
    "under a white box": (secret) => page(`${show(secret)} 1 g ${BOX}`),
    "under a black box": (secret) => page(`${show(secret)} 0 g ${BOX}`),
  }),
  ...missed("file.pdf", {
    "under a picture": (secret) => page(`${show(secret)} q 500 0 0 60 40 680 cm /I Do Q`),
    "cut away": (secret) => page(`q 0 0 1 1 re W n ${show(secret)} Q`),
    // The parser leaves these out, so that they reach nobody.
    "outside the page": (secret) => page(show(secret, 700, 12, -900)),
    "of size zero": (secret) => page(show(secret, 700, 0)),
  }),
];

// Word

const run = (text: string, style: string) =>
  `<w:p><w:r><w:rPr>${style}</w:rPr><w:t>${text}</w:t></w:r></w:p>`;
const docx = (body: string) => makeDocx({ body: paragraph(SHOWN) + body });
const styled = (secret: string) =>
  makeDocx({
    body: paragraph(SHOWN) + run(secret, '<w:rStyle w:val="Away"/>'),
    parts: {
      "word/styles.xml": part(
        "w:styles",
        '<w:style w:type="character" w:styleId="Away"><w:rPr><w:vanish/></w:rPr></w:style>',
      ),
    },
  });
const hiddenRow = (secret: string) =>
  `<w:tbl><w:tr><w:tc>${paragraph("Name")}</w:tc><w:tc>${paragraph("Use")}</w:tc></w:tr>` +
  `<w:tr><w:trPr><w:hidden/></w:trPr><w:tc>${paragraph(secret)}</w:tc><w:tc>${paragraph("-")}</w:tc></w:tr></w:tbl>`;

/** With the given properties. */
const core = (entries: string) => ({ "docProps/core.xml": part("cp:coreProperties", entries) });

const DOCX = cases("file.docx", {
  "as hidden text": (secret) => docx(run(secret, "<w:vanish/>")),
  "by its style": styled,
  white: (secret) => docx(run(secret, '<w:color w:val="FFFFFF"/>')),
  "nearly white": (secret) => docx(run(secret, '<w:color w:val="FEFEFE"/>')),
  "one point high": (secret) => docx(run(secret, '<w:sz w:val="2"/>')),
  transparent: (secret) =>
    docx(
      run(
        secret,
        '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr></w14:solidFill></w14:textFill>',
      ),
    ),
  "in a hidden row": (secret) => docx(hiddenRow(secret)),
  "white in a table": (secret) =>
    docx(
      `<w:tbl><w:tr><w:tc>${paragraph("Name")}</w:tc><w:tc>${run(secret, '<w:color w:val="FFFFFF"/>')}</w:tc></w:tr></w:tbl>`,
    ),
  "in the keywords": (secret) =>
    makeDocx({ body: paragraph(SHOWN), parts: core(`<cp:keywords>${secret}</cp:keywords>`) }),
  "in the title": (secret) =>
    makeDocx({ body: paragraph(SHOWN), parts: core(`<dc:title>${secret}</dc:title>`) }),
  "in tag characters": (secret) => docx(paragraph(SHOWN + toTags(secret))),
});

// PowerPoint

const SIZE = '<p:sldSz cx="9144000" cy="6858000"/>';
const pptx = (shapes: string, more = "") =>
  makePptx([{ shapes: `${shape([SHOWN], "title")}${shapes}` }], {
    "ppt/presentation.xml": part(
      "p:presentation",
      `<p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>${SIZE}`,
    ),
    ...(more === ""
      ? {}
      : {
          "ppt/slides/slide1.xml": part(
            `p:sld ${more}`,
            `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`,
          ),
        }),
  });
const inRun = (secret: string, style: string) =>
  placedShape([secret], [50, 200]).replace("<a:r>", `<a:r>${style}`);
const area = (color: string) =>
  placedShape([], [50, 200]).replace(
    "</p:spPr>",
    `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill></p:spPr>`,
  );

const PPTX = cases("file.pptx", {
  "on a hidden slide": (secret) =>
    makePptx([{ shapes: shape([SHOWN], "title") }, { shapes: shape([secret]) }], {
      "ppt/slides/slide2.xml": part(
        'p:sld show="0"',
        `<p:cSld><p:spTree>${shape([secret])}</p:spTree></p:cSld>`,
      ),
    }),
  "in a hidden shape": (secret) => pptx(shape([secret]).replace('name="x"', 'name="x" hidden="1"')),
  "outside the slide": (secret) => pptx(placedShape([secret], [-900, 100])),
  "below the slide": (secret) => pptx(placedShape([secret], [50, 900])),
  white: (secret) =>
    pptx(inRun(secret, '<a:rPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr>')),
  "in the background's colour": (secret) =>
    pptx(inRun(secret, '<a:rPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></a:rPr>')),
  "one point high": (secret) => pptx(inRun(secret, '<a:rPr sz="100"/>')),
  transparent: (secret) =>
    pptx(
      inRun(
        secret,
        '<a:rPr><a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill></a:rPr>',
      ),
    ),
  "under another shape": (secret) => pptx(placedShape([secret], [50, 200]) + area("FFFFFF")),
});

// Excel

const cell = (reference: string, text: string, style = 0) =>
  `<c r="${reference}" t="inlineStr" s="${style}"><is><t>${text}</t></is></c>`;
const STYLES = part(
  "styleSheet",
  '<numFmts><numFmt numFmtId="200" formatCode=";;;"/></numFmts>' +
    '<fonts><font><sz val="11"/></font><font><sz val="11"/><color rgb="FFFFFFFF"/></font>' +
    '<font><sz val="1"/></font><font><sz val="11"/><color theme="0"/></font></fonts>' +
    '<fills><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FF203040"/></patternFill></fill></fills>' +
    '<cellXfs><xf numFmtId="0" fontId="0"/><xf fontId="1"/><xf fontId="2"/><xf fontId="3"/>' +
    '<xf numFmtId="200"/><xf fontId="1" fillId="1"/></cellXfs>',
);
const xlsx = (rows: string, columns = "") =>
  makeXlsx({
    sheets: [{ name: "Data", rows: "" }],
    parts: {
      "xl/styles.xml": STYLES,
      "xl/worksheets/sheet1.xml": part(
        "worksheet",
        `${columns}<sheetData><row r="1">${cell("A1", SHOWN)}${cell("B1", "Use")}</row>${rows}</sheetData>`,
      ),
    },
  });
const inRow = (secret: string, style = 0, attributes = "") =>
  `<row r="2" ${attributes}>${cell("A2", "Pears")}${cell("C2", secret, style)}</row>`;
const onSheet = (secret: string, state: string) =>
  makeXlsx({
    sheets: [
      { name: "Data", rows: row(1, ["s0"]) },
      { name: "Away", rows: row(1, ["s1"]) },
    ],
    strings: [SHOWN, secret],
    parts: {
      "xl/workbook.xml": part(
        "workbook",
        `<sheets><sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Away" sheetId="2" state="${state}" r:id="rId2"/></sheets>`,
      ),
    },
  });

const XLSX = cases("file.xlsx", {
  "on a hidden sheet": (secret) => onSheet(secret, "hidden"),
  "on a very hidden sheet": (secret) => onSheet(secret, "veryHidden"),
  "in a hidden row": (secret) => xlsx(inRow(secret, 0, 'hidden="1"')),
  "in a row of no height": (secret) => xlsx(inRow(secret, 0, 'ht="0" customHeight="1"')),
  "in a hidden column": (secret) =>
    xlsx(inRow(secret), '<cols><col min="3" max="3" width="9" hidden="1"/></cols>'),
  white: (secret) => xlsx(inRow(secret, 1)),
  "in the paper's colour": (secret) => xlsx(inRow(secret, 3)),
  "one point high": (secret) => xlsx(inRow(secret, 2)),
  "in a format that shows nothing": (secret) => xlsx(inRow(secret, 4)),
});

// HTML, mail and e-books

const styledText = (style: string) => (secret: string) => `<p style="${style}">${secret}</p>`;
const BY_STYLE: Readonly<Record<string, (secret: string) => string>> = {
  "not displayed": styledText("display:none"),
  "not visible": styledText("visibility: hidden"),
  "of size zero": styledText("font-size:0"),
  "one pixel high": styledText("font-size:1px"),
  "off the screen": styledText("position:absolute;left:-9999px"),
  "indented away": styledText("text-indent:-9999px"),
  transparent: styledText("opacity:0"),
  "nearly transparent": styledText("opacity: 0.01"),
  "in no colour": styledText("color: transparent"),
  "white on white": styledText("color:#fff"),
  "white on white, said twice": styledText("color:white;background-color:#ffffff"),
  "in the colour around it": (secret) =>
    `<div style="background:rgb(20, 40, 60)"><p style="color:#14283c">${secret}</p></div>`,
  "in an element that is hidden": (secret) => `<div hidden><p>${secret}</p></div>`,
  "in a box of no size": styledText("width:1px;height:1px;overflow:hidden"),
  "cut away": styledText("clip-path: inset(100%)"),
};
const toPage = (body: string, head = "") =>
  `<html><head><title>Garden</title>${head}</head><body><p>${SHOWN}</p>${body}</body></html>`;
const ofStyle = (make: (body: string) => Buffer | string): Made =>
  Object.fromEntries(
    Object.entries(BY_STYLE).map(([name, hide]) => [name, (secret) => make(hide(secret))]),
  );

const HTML = cases("file.html", {
  ...ofStyle(toPage),
  "by a class": (secret) =>
    toPage(`<p class="away">${secret}</p>`, "<style>.away { display: none }</style>"),
  "in the colour of a class": (secret) =>
    toPage(`<p class="pale">${secret}</p>`, "<style>.pale { color: #fefefe }</style>"),
  "in the description": (secret) => toPage("", `<meta name="description" content="${secret}">`),
  "in tag characters": (secret) => toPage(`<p>${SHOWN}${toTags(secret)}</p>`),
});

const mail = (html: string) =>
  `From: a@example.com\nSubject: Garden\nContent-Type: text/html; charset=utf-8\n\n${html}`;
const EML = cases(
  "file.eml",
  ofStyle((body) => mail(toPage(body))),
);
const EPUB = cases(
  "file.epub",
  ofStyle((body) => makeEpub("Garden", [`<p>${SHOWN}</p>${body}`])),
);

// OpenDocument, RTF and old presentations

const textStyle = (family: string, properties: string) =>
  `<style:style style:name="S" style:family="${family}">${properties}</style:style>`;
const shownText = `<text:p>${SHOWN}</text:p>`;
const odt =
  (
    properties: string,
    body = (secret: string) => `<text:p text:style-name="S">${secret}</text:p>`,
  ) =>
  (secret: string) =>
    makeOdf("text", shownText + body(secret), { automatic: textStyle("paragraph", properties) });
const odfCell = (text: string, attributes = "") =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const odfRow = (cells: string, attributes = "") =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
const sheetOf = (rows: string, attributes = "") =>
  `<table:table table:name="Data" ${attributes}>${rows}</table:table>`;
const ods = (body: string, automatic = "") =>
  makeOdf("spreadsheet", sheetOf(odfRow(odfCell(SHOWN) + odfCell("Use"))) + body, { automatic });
const slideOf = (text: string, attributes = "") =>
  `<draw:page ${attributes}><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`;
const rtf = (body: string) =>
  `{\\rtf1\\ansi{\\colortbl;\\red255\\green255\\blue255;}${SHOWN}\\par ${body}\\par}`;

const ODF: readonly HiddenCase[] = [
  ...cases("file.odt", {
    "not displayed": odt('<style:text-properties text:display="none"/>'),
    white: odt('<style:text-properties fo:color="#ffffff"/>'),
    "one point high": odt('<style:text-properties fo:font-size="1pt"/>'),
    transparent: odt('<style:text-properties fo:color="#000000" loext:opacity="0%"/>'),
    "in a hidden section": odt(
      "",
      (secret) => `<text:section text:display="none"><text:p>${secret}</text:p></text:section>`,
    ),
    "in a span": odt(
      "",
      (secret) => `<text:p>Pears <text:hidden-text text:string-value="${secret}"/></text:p>`,
    ),
  }),
  ...cases("file.ods", {
    "in a hidden row": (secret) =>
      ods(sheetOf(odfRow(odfCell(secret), 'table:visibility="collapse"'))),
    "in a hidden column": (secret) =>
      ods(
        sheetOf(
          `<table:table-column/><table:table-column table:visibility="collapse"/>${odfRow(odfCell("Pears") + odfCell(secret))}`,
        ),
      ),
    "on a hidden sheet": (secret) =>
      ods(
        sheetOf(odfRow(odfCell(secret)), 'table:style-name="S"'),
        textStyle("table", '<style:table-properties table:display="false"/>'),
      ),
    white: (secret) =>
      ods(
        sheetOf(odfRow(odfCell(secret, 'table:style-name="S"'))),
        textStyle("table-cell", '<style:text-properties fo:color="#ffffff"/>'),
      ),
  }),
  ...cases("file.odp", {
    "on a hidden slide": (secret) =>
      makeOdf("presentation", slideOf(SHOWN) + slideOf(secret, 'draw:style-name="S"'), {
        automatic: textStyle(
          "drawing-page",
          '<style:drawing-page-properties presentation:visibility="hidden"/>',
        ),
      }),
  }),
];
const RTF = cases("file.rtf", {
  "as hidden text": (secret) => rtf(`{\\v ${secret}}`),
  white: (secret) => rtf(`{\\cf1 ${secret}}`),
  "one point high": (secret) => rtf(`{\\fs2 ${secret}}`),
});
const PPT = cases("file.ppt", {
  "on a hidden slide": (secret) =>
    makePpt([
      { title: "Garden", text: SHOWN },
      { title: "Away", text: secret, isHidden: true },
    ]),
});

// Drawings

const svg = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><text x="10" y="20" font-size="12">${SHOWN}</text>${body}</svg>`;
const svgLabel = (attributes: string) => (secret: string) =>
  svg(`<text x="10" y="50" ${attributes}>${secret}</text>`);

const SVG = cases("file.svg", {
  "white on white": svgLabel('fill="white"'),
  "white by its style": svgLabel('style="fill:#ffffff"'),
  "of size zero": svgLabel('font-size="0"'),
  "far too small": svgLabel('font-size="0.2"'),
  transparent: svgLabel('opacity="0"'),
  "without a fill that is seen": svgLabel('fill-opacity="0"'),
  "not displayed": svgLabel('display="none"'),
  "not visible": svgLabel('visibility="hidden"'),
  "outside the drawing": (secret) => svg(`<text x="10" y="900">${secret}</text>`),
});

// Text

function toTags(text: string): string {
  return String.fromCodePoint(...[...text].map((letter) => 0xe0000 + letter.charCodeAt(0)));
}

function toSelectors(text: string): string {
  const bytes = [...Buffer.from(text)];
  return String.fromCodePoint(
    ...bytes.map((byte) => (byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)),
  );
}

const INVISIBLE: Made = {
  "in tag characters": (secret) => `# Garden\n\n${SHOWN}${toTags(secret)}\n`,
  "in variation selectors": (secret) => `# Garden\n\n${SHOWN}${toSelectors(secret)}\n`,
};
const TEXT: readonly HiddenCase[] = [
  ...cases("file.md", {
    ...INVISIBLE,
    "in a comment": (secret) => `# Garden\n\n${SHOWN}\n\n<!-- ${secret} -->\n`,
    "in a comment of lines": (secret) => `# Garden\n\n${SHOWN}\n<!--\n${secret}\n-->\nPears.\n`,
  }),
  ...cases("file.txt", INVISIBLE),
];

/** By format. */
export const HIDDEN_CASES: Readonly<Record<string, readonly HiddenCase[]>> = {
  PDF,
  DOCX,
  PPTX,
  XLSX,
  HTML,
  SVG,
  EML,
  EPUB,
  ODF,
  RTF,
  PPT,
  text: TEXT,
};

/** What looks alike, but is seen. */
export const SEEN_CASES: readonly HiddenCase[] = [
  ...cases("file.pdf", {
    "white on a black box": (text) => page(`0 g ${BOX} 1 g ${show(text)}`),
    "grey on white": (text) => page(`.8 g ${show(text)}`),
    "black on a white box": (text) => page(`1 g ${BOX} 0 g ${show(text)}`),
    "in three points": (text) => page(show(text, 700, 3)),
  }),
  ...cases("file.docx", {
    "white on shading": (text) =>
      docx(run(text, '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="203040"/>')),
    "white in a styled table": (text) =>
      docx(
        `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc>${paragraph("Name")}</w:tc><w:tc>${run(text, '<w:color w:val="FFFFFF"/>')}</w:tc></w:tr></w:tbl>`,
      ),
  }),
  ...cases("file.pptx", {
    "white on a dark shape": (text) =>
      pptx(
        area("203040") +
          inRun(text, '<a:rPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr>'),
      ),
  }),
  ...cases("file.xlsx", { "white on a dark fill": (text) => xlsx(inRow(text, 5)) }),
  ...cases("file.html", {
    "white on a dark page": (text) =>
      toPage(`<div style="background:#123"><p style="color:#fff">${text}</p></div>`),
    "white where a style sheet may paint": (text) =>
      toPage(`<p style="color:#fff">${text}</p>`, '<link rel="stylesheet" href="a.css">'),
    "a size that is set again": (text) =>
      toPage(`<div style="font-size:0"><p style="font-size:14px">${text}</p></div>`),
  }),
  ...cases("file.odt", {
    "white on a colour": odt(
      '<style:text-properties fo:color="#ffffff"/><style:paragraph-properties fo:background-color="#203040"/>',
    ),
    "in the automatic colour": odt(
      '<style:text-properties style:use-window-font-color="true" loext:opacity="0%"/>',
    ),
  }),
  ...cases("file.rtf", { "white on shading": (text) => rtf(`{\\cbpat2\\cf1 ${text}}`) }),
  ...cases("file.svg", {
    "white on a bar": (text) =>
      svg(
        `<rect width="300" height="50" fill="#345"/><text y="40" x="9" fill="white">${text}</text>`,
      ),
  }),
  ...cases("file.md", {
    "a comment in code": (text) => `# Garden\n\n${SHOWN}\n\n\`\`\`html\n<!-- ${text} -->\n\`\`\`\n`,
    "a flag": (text) => `${SHOWN} ${text} \u{1f3f4}${toTags("gbsct")}\u{e007f}\n`,
  }),
];
