// A chart's labels and data, as a table: categories down, series across.

import type { Writer } from "../writer.ts";
import { child, descendants, textOf, type XmlElement } from "./xml.ts";

interface ChartData {
  readonly title: string;
  /** The labels of the series with the most points. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

export function readSeries(root: XmlElement): ChartData {
  const series = descendants(root, "ser").map(toSeries);
  const labels = series.reduce(
    (a, b) => (b.labels.length > a.length ? b.labels : a),
    [] as readonly string[],
  );
  return { title: chartTitle(root), labels, series };
}

export function writeChart(out: Writer, root: XmlElement): void {
  const { title, labels: longest, series } = readSeries(root);
  const axes = descendants(root, "title")
    .map(richText)
    .filter((text) => text !== "" && text !== title);
  if (title !== "") out.figure(`Chart: ${title}`);
  if (axes.length > 0) out.figure(`Axes: ${[...new Set(axes)].join(", ")}`);
  const count = Math.max(longest.length, ...series.map((one) => one.values.length), 0);
  if (count === 0) return;
  const header = ["", ...series.map((one) => one.name)];
  const rows = Array.from({ length: Math.min(count, 5_000) }, (_, at) => [
    longest[at] ?? "",
    ...series.map((one) => one.values[at] ?? ""),
  ]);
  out.table([header, ...rows], 1);
}

function chartTitle(root: XmlElement): string {
  const chart = child(root, "chart") ?? root;
  return richText(child(chart, "title"));
}

function richText(title: XmlElement | undefined): string {
  const texts = descendants(title, "t").map(textOf);
  return (texts.length > 0 ? texts : descendants(title, "v").map(textOf)).join("").trim();
}

interface Series {
  readonly name: string;
  readonly labels: readonly string[];
  readonly values: readonly string[];
}

function toSeries(series: XmlElement): Series {
  const name = child(series, "tx");
  const labels = child(series, "cat") ?? child(series, "xVal");
  const values = child(series, "val") ?? child(series, "yVal");
  return {
    name: descendants(name, "v").map(textOf).join(" "),
    labels: points(labels),
    values: points(values).map(plainNumber),
  };
}

/** Points have an index, because empty ones are omitted. */
function points(side: XmlElement | undefined): readonly string[] {
  const texts: string[] = [];
  for (const point of descendants(side, "pt")) {
    const at = Number(point.attributes["idx"] ?? texts.length);
    if (at >= 0 && at < 5_000)
      texts[at] = [texts[at], textOf(child(point, "v"))].filter(Boolean).join(" ");
  }
  return Array.from(texts, (text) => text ?? "");
}

function plainNumber(text: string): string {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : general(value);
}

/** A plain number without binary rounding errors. */
export function general(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(11)));
}
