// One small file of every format, each with a word of its own to search for.
import { heading, makeDocx, makePptx, makeXlsx, paragraph, row, shape } from "./files/office.ts";
import { makePdf } from "./files/pdf.ts";
import { paint } from "./files/picture.ts";

export interface SampleFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const OCTETS = "application/octet-stream";

export async function oneOfEachFormat(): Promise<readonly SampleFile[]> {
  const picture = paint(900, 200, [
    { text: "Harbour pilots need a lantern", x: 40, y: 110, size: 48 },
  ]);
  const file = (name: string, content: string | Buffer): SampleFile => ({
    name,
    mimeType: OCTETS,
    buffer: Buffer.from(content),
  });
  return [
    file(
      "guide.pdf",
      makePdf([["The barometer is calibrated every spring."], ["The anemometer is on the roof."]]),
    ),
    file(
      "memo.docx",
      makeDocx({ body: heading(1, "Memo") + paragraph("The quorum is seven members.") }),
    ),
    file(
      "talk.pptx",
      makePptx([
        { shapes: shape(["Turbines"], "title") + shape(["Blades are inspected monthly."]) },
      ]),
    ),
    file(
      "stock.xlsx",
      makeXlsx({
        strings: ["Item", "Count", "Rivets"],
        sheets: [{ name: "Stock", rows: row(1, ["s0", "s1"]) + row(2, ["s2", 4200]) }],
      }),
    ),
    file("page.html", "<title>Page</title><h1>Orchard</h1><p>Quinces ripen in October.</p>"),
    file("photo.png", await picture.encode("png")),
    file("photo.jpg", await picture.encode("jpeg", 90)),
    file(
      "plan.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text x="5" y="20">Boiler room</text></svg>',
    ),
    file("notes.md", "# Notes\n\nThe ferry leaves at noon.\n"),
    file("plain.txt", "The lighthouse keeper lives alone.\n"),
    file("list.csv", "name,colour\nwren,brown\n"),
    file("data.json", '{"bridge": "suspension"}'),
  ];
}
