import { expect, test } from "vitest";
import { toPieces } from "./lines.ts";

const LETTER = 10;
const HEIGHT = 20;

/** Makes the words of a line with their positions: "Sample@0 Depth@120". */
function line(y: number, text: string, height = HEIGHT) {
  return text.split(" ").map((part) => {
    const [word = "", x] = part.split("@");
    const width = word.length * LETTER;
    return { text: word.replaceAll("_", " "), x: Number(x), y, width, height, confidence: 0.95 };
  });
}

const tableOf = (...lines: readonly (readonly ReturnType<typeof line>[number][])[]) =>
  toPieces(lines.flat()).find((piece) => piece.kind === "table")?.rows;

test("words in columns under a header are a table, and what is around it stays text", () => {
  const pieces = toPieces([
    ...line(0, "Soil_samples_of_field_seven@0", 30),
    ...line(60, "Sample@0 Depth@120 pH@240"),
    ...line(95, "S-1@0 15@120 6.4@240"),
    ...line(130, "S-2@0 30@120 6.9@240"),
    ...line(200, "Taken_by_the_county_laboratory.@0"),
  ]);
  expect(pieces).toEqual([
    { kind: "text", text: "Soil samples of field seven" },
    {
      kind: "table",
      rows: [
        ["Sample", "Depth", "pH"],
        ["S-1", "15", "6.4"],
        ["S-2", "30", "6.9"],
      ],
    },
    { kind: "text", text: "Taken by the county laboratory." },
  ]);
});

test("an empty cell stays empty, and words of one cell stay together", () => {
  const rows = tableOf(
    line(0, "Train@0 Destination@150 Platform@400"),
    line(35, "RX@0 12@28 Moss@150 3@400"),
    line(70, "IC@0 205@28 Gothenburg@150"),
    line(105, "NT@0 9@28 Malmo@150 5@400"),
  );
  expect(rows?.[2]).toEqual(["IC 205", "Gothenburg", ""]);
  expect(rows?.[1]).toEqual(["RX 12", "Moss", "3"]);
});

test("column names over several lines are joined, wherever in the row they are", () => {
  const rows = tableOf(
    line(0, "Ballots@480"),
    line(18, "Disability@0 Ballots@300"),
    line(26, "Participants@140"),
    line(38, "Category@0 Completed@300 Terminated@480"),
    line(100, "Blind@0 5@180 1@340 4@520"),
    line(150, "Low_Vision@0 5@180 2@340 3@520"),
    line(200, "Mobility@0 3@180 3@340 0@520"),
  );
  expect(rows?.[0]).toEqual([
    "Disability Category",
    "Participants",
    "Ballots Completed",
    "Ballots Terminated",
  ]);
  expect(rows).toHaveLength(4);
});

test("a header whose first line leaves the first column open ends with the line that fills it", () => {
  const rows = tableOf(
    line(0, "This_Quarter@300 Previous@500"),
    line(22, "Assets@0 Ending@310 year_Ending@500"),
    line(44, "Cash@0 8,775@330 9,163@530"),
    line(66, "Other_assets@0 -@390 -@590"),
    line(88, "Securities@0 35,356@320 31,460@520", 38),
    line(128, "Total@0 44,131@320 40,623@520"),
  );
  expect(rows).toEqual([
    ["Assets", "This Quarter Ending", "Previous year Ending"],
    ["Cash", "8,775", "9,163"],
    ["Other assets", "", ""],
    ["Securities", "35,356", "31,460"],
    ["Total", "44,131", "40,623"],
  ]);
});

test("columns of numbers are not columns of prose", () => {
  const rows = tableOf(
    line(0, "Item@0 Net_price@300 Pieces@450 Gross_price@560"),
    ...[1, 2, 3, 4, 5, 6].map((at) =>
      line(at * 35, `Steel_bracket_${at}_with_screws@0 19,90_€@300 ${at}@480 47,36_€@560`),
    ),
  );
  expect(rows).toHaveLength(7);
});

test("lines of one row are joined", () => {
  const rows = tableOf(
    line(0, "Course@0 Description@150 Days@500"),
    line(50, "First_aid@0 Bandages_and_the@150 2@500"),
    line(72, "recovery_position@150"),
    line(122, "Forklift@0 Practical_and@150 3@500"),
    line(144, "written_test@150"),
    line(194, "Fire@0 Alarms@150 1@500"),
  );
  expect(rows?.slice(1)).toEqual([
    ["First aid", "Bandages and the recovery position", "2"],
    ["Forklift", "Practical and written test", "3"],
    ["Fire", "Alarms", "1"],
  ]);
});

test("a form above a table and a title below it are not part of it", () => {
  const rows = tableOf(
    line(0, "Born:@0 March_15@140 Doctor:@320 Dr._Warren@480"),
    line(35, "Patient:@0 PAT-3847@140 Insurer:@320 BlueCross@480"),
    line(90, "Measure@0 Value@140 Range@320 Status@480"),
    line(125, "Pulse@0 78_bpm@140 60-100@320 normal@480"),
    line(160, "Oxygen@0 97%@140 95-100%@320 normal@480"),
    line(205, "COMPLAINT@0"),
  );
  expect(rows).toEqual([
    ["Measure", "Value", "Range", "Status"],
    ["Pulse", "78 bpm", "60-100", "normal"],
    ["Oxygen", "97%", "95-100%", "normal"],
  ]);
});

test("the total below an invoice's items stays a separate line", () => {
  const pieces = toPieces([
    ...line(0, "Qty@0 Item@80 Price@300 Amount@420"),
    ...line(35, "4@0 Shelf@80 38.00@300 152.00@420"),
    ...line(70, "1@0 Delivery@80 29.00@300 29.00@420"),
    ...line(105, "Total@300 181.00@420"),
  ]);
  expect(pieces.at(-1)).toEqual({ kind: "text", text: "Total 181.00" });
});

test.each([
  [
    "a receipt without a header",
    ["1@0 Spray_paint@80 7.42@300", "2@0 Nails@80 3.10@300", "1@0 Glue@80 4.00@300"],
  ],
  [
    "boxes of a diagram",
    [
      "Java@0 Java@200 Java@400",
      "Client@0 Client@200 Client@400",
      "Server@0 Server@200 Server@400",
    ],
  ],
  ["labels and their values", ["Name@0 Ada@200", "Born@0 1815@200", "Died@0 1852@200"]],
])("%s is not a table", (_, lines) => {
  expect(tableOf(...lines.map((text, at) => line(at * 35, text)))).toBeUndefined();
});
