// A simplified chart: columns, lines or slices of the values stored in the file.

import type { Box } from "../../box.ts";
import { readSeries } from "../../office/chart.ts";
import { descendants, type XmlElement } from "../../office/xml.ts";
import { type Canvas, type Colour, type Shape, short } from "./canvas.ts";
import type { Deck } from "./deck.ts";
import { inset, type Matrix } from "./matrix.ts";
import type { Paragraph } from "./text.ts";

const MAX_POINTS = 200;
const MAX_SERIES = 12;
const GREY: Colour = { rgb: "#8a929c", alpha: 1 };
const INK: Colour = { rgb: "#3b4148", alpha: 1 };
const ACCENTS = 6;
const LABEL_SIZE = 11;
const LABEL_HEIGHT = 16;
const TITLE_HEIGHT = 34;

interface Plot {
  readonly area: Box;
  readonly labels: readonly string[];
  readonly series: readonly (readonly number[])[];
  readonly colour: (at: number) => Colour;
  readonly draw: (shape: Shape) => void;
}

export function drawChart(
  canvas: Canvas,
  root: XmlElement,
  {
    deck,
    box,
    matrix,
  }: { readonly deck: Pick<Deck, "colours">; readonly box: Box; readonly matrix: Matrix },
): void {
  const data = readSeries(root);
  const series = data.series.slice(0, MAX_SERIES);
  const colour = (at: number) => deck.colours.named(`accent${(at % ACCENTS) + 1}`) ?? GREY;
  const draw = (shape: Shape) => canvas.draw({ ...shape, matrix });
  const top = data.title === "" ? 8 : TITLE_HEIGHT;
  const plot: Plot = {
    area: inset(box, [12, top, 12, LABEL_HEIGHT * 3]),
    labels: data.labels.slice(0, MAX_POINTS).map((label) => label.slice(0, 40)),
    series: series.map(({ values }) =>
      values.slice(0, MAX_POINTS).map((each) => Number(each) || 0),
    ),
    colour,
    draw,
  };
  draw(label(data.title, { ...box, height: TITLE_HEIGHT }, 18));
  const has = (name: string) => descendants(root, name).length > 0;
  if (has("pieChart") || has("doughnutChart") || has("pie3DChart")) drawSlices(plot);
  else drawColumns(plot, has("lineChart") || has("scatterChart") || has("areaChart"));
  const width = box.width / series.length;
  const y = box.y + box.height - LABEL_HEIGHT * 1.5;
  for (const [at, { name }] of series.length > 1 ? series.entries() : []) {
    const x = box.x + at * width;
    draw({ box: { x, y: y + 3, width: 10, height: 10 }, fill: colour(at) });
    const place = { x: x + 14, y, width: width - 14, height: LABEL_HEIGHT };
    draw(label(name.slice(0, 60), place, LABEL_SIZE, "l"));
  }
}

function label(
  text: string,
  area: Box,
  size = LABEL_SIZE,
  align: Paragraph["align"] = "ctr",
): Shape {
  const style = { size, bold: false, italic: false, underlined: false, colour: INK, family: "" };
  const layout = { align, left: 0, first: 0, before: 0, after: 0, spacing: 1 };
  const paragraphs = [{ runs: [{ text, style }], mark: "", size, ...layout }];
  return { box: area, text: { paragraphs, area, wraps: false, anchor: "ctr", shrunk: undefined } };
}

function drawColumns({ area, labels, series, colour, draw }: Plot, asLines: boolean): void {
  const all = series.flat();
  const count = Math.max(1, labels.length, ...series.map((values) => values.length));
  const [most, least] = [Math.max(0, ...all), Math.min(0, ...all)];
  const yOf = (value: number) => area.y + ((most - value) / (most - least || 1)) * area.height;
  const step = area.width / count;
  draw({ box: { ...area, y: yOf(0), height: 0.5 }, fill: GREY });
  const width = (step * 0.7) / Math.max(1, series.length);
  for (const [at, values] of series.entries()) {
    const xOf = (index: number) => short(area.x + (index + 0.5) * step);
    const points = values.map((value, index) => `${xOf(index)} ${short(yOf(value))}`);
    const left = (index: number) => short(area.x + (index + 0.15) * step + at * width);
    const bars = values.map(
      (value, index) =>
        `M${left(index)} ${short(yOf(0))}V${short(yOf(value))}h${short(width)}V${short(yOf(0))}z`,
    );
    const d = asLines && points.length > 0 ? `M${points.join("L")}` : bars.join("");
    const paint = asLines ? { line: { colour: colour(at), width: 2.25 } } : { fill: colour(at) };
    draw({ box: area, outline: ["path", { d }], ...paint });
  }
  // If all labels were drawn, they would overlap.
  const every = Math.max(1, Math.ceil(52 / step));
  const below = { y: area.y + area.height, width: step, height: LABEL_HEIGHT };
  for (const [at, text] of labels.entries())
    if (at % every === 0) draw(label(text, { x: area.x + at * step, ...below }));
}

function drawSlices({ area, labels, series, colour, draw }: Plot): void {
  const values = (series[0] ?? []).map((value) => Math.max(0, value));
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  const r = Math.min(area.width, area.height) / 2;
  const [cx, cy] = [area.x + area.width / 2, area.y + area.height / 2];
  let angle = -Math.PI / 2;
  for (const [at, value] of values.entries()) {
    // An arc cannot be a full circle, because its two ends would coincide.
    const next = angle + Math.min(0.9999, value / total) * 2 * Math.PI;
    const [x, y] = [
      (turn: number) => cx + Math.cos(turn) * r,
      (turn: number) => cy + Math.sin(turn) * r,
    ];
    const arc = `A${short(r)} ${short(r)} 0 ${next - angle > Math.PI ? 1 : 0} 1`;
    const d = `M${short(cx)} ${short(cy)}L${short(x(angle))} ${short(y(angle))}${arc} ${short(x(next))} ${short(y(next))}z`;
    draw({ box: area, outline: ["path", { d }], fill: colour(at) });
    const middle = (angle + next) / 2;
    const place = { x: (x(middle) + cx) / 2, y: (y(middle) + cy) / 2, width: 0, height: 0 };
    draw(label(labels[at] ?? "", place));
    angle = next;
  }
}
