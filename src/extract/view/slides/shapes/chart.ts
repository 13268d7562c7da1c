// A simplified chart: columns, lines or slices of the values stored in the file.
import { readSeries } from "../../../office/chart.ts";
import { descendants, type XmlElement } from "../../../office/xml.ts";
import type { Deck } from "../deck.ts";
import { type Box, type Canvas, colourValues, short } from "../drawing/canvas.ts";
import type { Colour } from "../drawing/colour.ts";
import { widthOf } from "../text/measure.ts";

const MAX_POINTS = 200;
const MAX_SERIES = 12;
const GREY: Colour = { rgb: "#8a929c", alpha: 1 };
const INK: Colour = { rgb: "#3b4148", alpha: 1 };
const ACCENTS = [1, 2, 3, 4, 5, 6].map((at) => `accent${at}`);

interface Plot {
  readonly area: Box;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly colour: (at: number) => Colour;
}

export function drawChart(canvas: Canvas, root: XmlElement, deck: Deck, box: Box): void {
  const { title, labels, series } = readSeries(root);
  const plotted = series.slice(0, MAX_SERIES).map(({ name, values }) => ({
    name,
    values: values.slice(0, MAX_POINTS).map((value) => Number(value) || 0),
  }));
  const colour = (at: number) => deck.colours.named(ACCENTS[at % ACCENTS.length] ?? "") ?? GREY;
  const top = title === "" ? 8 : 34;
  if (title !== "")
    note(canvas, title, { x: box.x + box.width / 2, y: box.y + 22, size: 18, anchor: "middle" });
  const legend = plotted.length > 1 ? 24 : 0;
  const area = {
    x: box.x + 12,
    y: box.y + top,
    width: Math.max(10, box.width - 24),
    height: Math.max(10, box.height - top - 26 - legend),
  };
  const plot: Plot = { area, labels: labels.slice(0, MAX_POINTS), series: plotted, colour };
  const has = (name: string) => descendants(root, name).length > 0;
  if (has("pieChart") || has("doughnutChart") || has("pie3DChart")) drawSlices(canvas, plot);
  else drawColumns(canvas, plot, has("lineChart") || has("scatterChart") || has("areaChart"));
  if (legend > 0) drawLegend(canvas, plot, box);
}

interface Note {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor: "start" | "middle";
}

function note(canvas: Canvas, text: string, { x, y, size, anchor }: Note): void {
  const width = widthOf(text, {
    size,
    bold: false,
    italic: false,
    underlined: false,
    colour: INK,
    family: "",
  });
  canvas.write(
    {
      x,
      y,
      "font-size": size,
      "font-family": "Arial, sans-serif",
      "text-anchor": anchor,
      ...colourValues("fill", INK),
    },
    text,
  );
  const left = anchor === "middle" ? x - width / 2 : x;
  canvas.words.push({ text, x: left, y: y - size, width, height: size * 1.2 });
}

interface Scale {
  readonly step: number;
  readonly yOf: (value: number) => number;
}

function drawColumns(canvas: Canvas, plot: Plot, asLines: boolean): void {
  const { area, labels, series } = plot;
  const all = series.flatMap(({ values }) => values);
  const count = Math.max(1, labels.length, ...series.map(({ values }) => values.length));
  const [most, least] = [Math.max(0, ...all), Math.min(0, ...all)];
  const yOf = (value: number) => area.y + ((most - value) / (most - least || 1)) * area.height;
  const scale: Scale = { step: area.width / count, yOf };
  const axis = `M${short(area.x)} ${short(yOf(0))}h${short(area.width)}`;
  canvas.put("path", { d: axis, stroke: GREY.rgb });
  for (const at of series.keys()) (asLines ? drawLine : drawBars)(canvas, plot, { ...scale, at });
  // If all labels were drawn, they would overlap.
  const every = Math.max(1, Math.ceil((count * 52) / area.width));
  for (const [at, label] of labels.entries()) {
    if (at % every !== 0) continue;
    const place = { x: area.x + (at + 0.5) * scale.step, y: area.y + area.height + 15 };
    note(canvas, label.slice(0, 40), { ...place, size: 11, anchor: "middle" });
  }
}

type OfSeries = Scale & { readonly at: number };

function drawLine(canvas: Canvas, { area, series, colour }: Plot, { at, step, yOf }: OfSeries) {
  const points = (series[at]?.values ?? []).map(
    (value, index) => `${short(area.x + (index + 0.5) * step)} ${short(yOf(value))}`,
  );
  if (points.length === 0) return;
  const line = { fill: "none", stroke: colour(at).rgb, "stroke-width": 2.25 };
  canvas.put("path", { d: `M${points.join("L")}`, ...line });
}

function drawBars(canvas: Canvas, { area, series, colour }: Plot, { at, step, yOf }: OfSeries) {
  const width = (step * 0.7) / series.length;
  for (const [index, value] of (series[at]?.values ?? []).entries()) {
    const x = area.x + index * step + step * 0.15 + at * width;
    const [top, bottom] = [Math.min(yOf(value), yOf(0)), Math.max(yOf(value), yOf(0))];
    const bar = { x, y: top, width, height: bottom - top };
    canvas.put("rect", { ...bar, ...colourValues("fill", colour(at)) });
  }
}

function drawSlices(canvas: Canvas, { area, labels, series, colour }: Plot): void {
  const values = (series[0]?.values ?? []).map((value) => Math.max(0, value));
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  const r = Math.min(area.width, area.height) / 2;
  const [cx, cy] = [area.x + area.width / 2, area.y + area.height / 2];
  let turned = -Math.PI / 2;
  for (const [at, value] of values.entries()) {
    // An arc cannot be a full circle, because its two ends would coincide.
    const next = turned + Math.min(0.9999, value / total) * 2 * Math.PI;
    const point = (angle: number, share = 1) =>
      [short(cx + Math.cos(angle) * r * share), short(cy + Math.sin(angle) * r * share)] as const;
    const long = next - turned > Math.PI ? 1 : 0;
    const d = `M${short(cx)} ${short(cy)}L${point(turned).join(" ")}A${short(r)} ${short(r)} 0 ${long} 1 ${point(next).join(" ")}z`;
    canvas.put("path", { d, ...colourValues("fill", colour(at)), stroke: "#ffffff" });
    const [x, y] = point((turned + next) / 2, 0.65).map(Number) as [number, number];
    note(canvas, (labels[at] ?? "").slice(0, 40), { x, y, size: 11, anchor: "middle" });
    turned = next;
  }
}

function drawLegend(canvas: Canvas, { series, colour }: Plot, box: Box): void {
  let x = box.x + 16;
  const y = box.y + box.height - 14;
  for (const [at, { name }] of series.entries()) {
    canvas.put("rect", { x, y: y - 9, width: 10, height: 10, ...colourValues("fill", colour(at)) });
    note(canvas, name.slice(0, 60), { x: x + 14, y, size: 11, anchor: "start" });
    x += 30 + name.length * 6;
  }
}
