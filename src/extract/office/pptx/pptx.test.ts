import { describe, expect, test } from "vitest";
import { makePptx, part, relations, shape } from "../../../../test/support/files/office.ts";
import { readHere } from "../../../../test/support/read-here.ts";

const read = (bytes: Buffer) => readHere("deck.pptx", bytes);
const frame = (content: string) =>
  `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;

describe("a presentation", () => {
  test("shows a chart's labels and data as a table", async () => {
    const points = (values: readonly (string | number)[]) =>
      values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
    const series = (name: string, values: readonly number[]) =>
      `<c:ser><c:tx><c:strRef><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points(["2024", "2025"])}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`;
    const title =
      "<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>";
    const chart = `<c:chart>${title}<c:plotArea><c:barChart>${series("North", [1.1, 2])}${series("South", [3, 0.30000000000000004])}</c:barChart></c:plotArea></c:chart>`;
    const { text } = await read(
      makePptx(
        [
          {
            shapes: shape(["Results"], "title") + frame('<c:chart r:id="rC"/>'),
            relations: { rC: ["chart", "../charts/chart1.xml"] },
          },
        ],
        {
          "ppt/charts/chart1.xml": part("c:chartSpace", chart),
        },
      ),
    );
    expect(text).toContain("Chart: Sales");
    expect(text).toContain(
      "|  | North | South |\n| --- | --- | --- |\n| 2024 | 1.1 | 3 |\n| 2025 | 2 | 0.3 |",
    );
  });

  test("shows diagram nodes and speaker notes, not slide numbers and footers", async () => {
    const point = (text: string, type = "") =>
      `<dgm:pt ${type}><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const { text } = await read(
      makePptx(
        [
          {
            shapes:
              shape(["12"], "sldNum") +
              shape(["Confidential"], "ftr") +
              shape(["Steps"], "title") +
              frame('<dgm:relIds r:dm="rD"/>'),
            relations: {
              rD: ["diagramData", "../diagrams/data1.xml"],
              rN: ["notesSlide", "../notesSlides/notesSlide1.xml"],
            },
          },
        ],
        {
          "ppt/diagrams/data1.xml": part(
            "dgm:dataModel",
            `<dgm:ptLst>${point("Plan")}${point("arrow", 'type="parTrans"')}${point("Build")}</dgm:ptLst>`,
          ),
          "ppt/notesSlides/notesSlide1.xml": part(
            "p:notes",
            `<p:cSld><p:spTree>${shape(["7"], "sldNum")}${shape(["Say it slowly."], "body")}</p:spTree></p:cSld>`,
          ),
        },
      ),
    );
    expect(text).toBe("## Steps\n\n- Plan\n- Build\n\n> **Speaker notes:** Say it slowly.");
  });

  test("is in the order of the presentation, not of the file names", async () => {
    const bytes = makePptx(
      [{ shapes: shape(["First"], "title") }, { shapes: shape(["Second"], "title") }],
      {
        "ppt/_rels/presentation.xml.rels": relations({
          rId1: ["slide", "slides/slide2.xml"],
          rId2: ["slide", "slides/slide1.xml"],
        }),
      },
    );
    const { text, pages } = await read(bytes);
    expect(text).toBe("## Second\n\n## First");
    expect(pages.map((page) => page.place)).toEqual([{ slide: 1 }, { slide: 2 }]);
  });
});
