import { describe, expect, test } from "vitest";
import { paint } from "../../../test/support/files/picture.ts";
import { makePdfPage, makeStream } from "../../../test/support/files/raw-pdf.ts";
import { readHere } from "../../../test/support/read-here.ts";
import { isStrange } from "./strange-text.ts";

const HELVETICA = "/F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const LINES = [
  "The harbour office opens at seven in the morning and closes at noon.",
  "Every ferry that leaves before nine carries freight on its lower deck.",
  "Passengers pay for their bicycles at the counter beside the crane.",
  "Fishermen mend their nets in the long shed behind the old custom house.",
];
const read = (bytes: Buffer) => readHere("file.pdf", bytes);

describe("a page whose text is turned", () => {
  test.each([
    ["to the right", "0 -1 1 0", "100 780"],
    ["upside down", "-1 0 0 -1", "560 100"],
    ["to the left", "0 1 -1 0", "400 40"],
  ])("%s is read line by line", async (_, matrix, start) => {
    const shown = LINES.map((line) => `(${line})Tj T*`).join(" ");
    const content = `BT /F 12 Tf 16 TL ${matrix} ${start} Tm ${shown} ET`;
    const { text } = await read(makePdfPage(content, { resources: `/Font<<${HELVETICA}>>` }));
    expect(text.replace(/\s+/g, " ")).toContain(LINES.join(" "));
  });

  test("is left alone where only its margin is", async () => {
    const upright = `BT /F 12 Tf 60 700 Td (${LINES[0]})Tj ET`;
    const margin = "BT /F 9 Tf 0 1 -1 0 20 300 Tm (Draft of May)Tj ET";
    const bytes = makePdfPage(`${upright} ${margin}`, { resources: `/Font<<${HELVETICA}>>` });
    expect((await read(bytes)).text).toContain(LINES[0]);
  });
});

test("a font with a wrong table is read by its codes", async () => {
  const descendant =
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/MSungStd-Light-Acro/CIDSystemInfo<</Registry(Adobe)/Ordering(CNS1)/Supplement 3>>/DW 500>>";
  const font = `/F<</Type/Font/Subtype/Type0/BaseFont/MSungStd-Light-Acro/Encoding/UniCNS-UCS2-H/DescendantFonts[${descendant}]>>`;
  const hex = (line: string) =>
    Array.from(line, (letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("");
  const lines = LINES.map((line, at) => `BT /F 9 Tf 30 ${700 - at * 16} Td <${hex(line)}>Tj ET`);
  const { text } = await read(makePdfPage(lines.join("\n"), { resources: `/Font<<${font}>>` }));
  expect(text.replace(/\s+/g, " ")).toContain(LINES.join(" "));
});

describe("a text layer that is no language's", () => {
  const wrong = LINES.map((line) =>
    line.replace(/[a-z]/g, (letter) => String.fromCharCode(219 - letter.charCodeAt(0))),
  );
  const layer = wrong.map((line, at) => `BT /F 12 Tf 3 Tr 60 ${700 - at * 20} Td (${line})Tj ET`);
  const resources = `/Font<<${HELVETICA}>>/XObject<</I 4 0 R>>`;

  test("is replaced by what OCR reads on the page", async () => {
    const shown = LINES.map((text, at) => ({ text, x: 60, y: 100 + at * 60, size: 30 }));
    const jpeg = await paint(1200, 500, shown).encode("jpeg");
    const entries =
      "/Type/XObject/Subtype/Image/Width 1200/Height 500/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode";
    const image = makeStream(jpeg.toString("latin1"), entries);
    const content = `q 580 0 0 242 10 500 cm /I Do Q ${layer.join("\n")}`;
    const { text, method } = await read(makePdfPage(content, { resources, more: [image] }));
    expect(method).toBe("ocr");
    expect(text).toContain("Every ferry that leaves before nine");
    expect(text).not.toContain(wrong[0]);
  });

  test("is kept where OCR finds nothing better", async () => {
    const { text, method } = await read(
      makePdfPage(layer.join("\n"), { resources, more: ["<<>>"] }),
    );
    expect(method).toBe("text_extraction");
    expect(text).toContain(wrong[0]);
  });
});

describe("a text is", () => {
  test.each([
    ["prose", LINES.join(" ").repeat(3)],
    [
      "Vietnamese",
      "Việt Nam, tên chính thức là Cộng hòa Xã hội chủ nghĩa Việt Nam, là một quốc gia nằm ở cực Đông của bán đảo Đông Dương, giáp với Lào, Campuchia, Trung Quốc, biển Đông và vịnh Thái Lan. Thủ đô là Hà Nội, thành phố đông dân nhất là Thành phố Hồ Chí Minh.",
    ],
    [
      "Japanese with English names",
      "港の事務所は朝七時に開きます。OfficeHours を参照してください。".repeat(9),
    ],
    ["a list of capitals", "WARSZAWA GDYNIA SOPOT KRAKÓW ŁÓDŹ POZNAŃ ".repeat(9)],
  ])("not strange if it is %s", (_, text) => {
    expect(isStrange(text)).toBe(false);
  });
});
