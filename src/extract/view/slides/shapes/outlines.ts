// The outlines of well-known shapes, as paths in the shape's box.
import { child, descendants, elements, type XmlElement } from "../../../office/xml.ts";
import { type Box, short } from "../drawing/canvas.ts";

type Points = readonly (readonly [number, number])[];

// Corners as shares of width and height.
const POLYGONS = new Map(
  Object.entries<Points>({
    triangle: [
      [0.5, 0],
      [1, 1],
      [0, 1],
    ],
    rtTriangle: [
      [0, 0],
      [1, 1],
      [0, 1],
    ],
    diamond: [
      [0.5, 0],
      [1, 0.5],
      [0.5, 1],
      [0, 0.5],
    ],
    flowChartDecision: [
      [0.5, 0],
      [1, 0.5],
      [0.5, 1],
      [0, 0.5],
    ],
    parallelogram: [
      [0.25, 0],
      [1, 0],
      [0.75, 1],
      [0, 1],
    ],
    trapezoid: [
      [0.25, 0],
      [0.75, 0],
      [1, 1],
      [0, 1],
    ],
    hexagon: [
      [0.25, 0],
      [0.75, 0],
      [1, 0.5],
      [0.75, 1],
      [0.25, 1],
      [0, 0.5],
    ],
    pentagon: [
      [0.5, 0],
      [1, 0.38],
      [0.81, 1],
      [0.19, 1],
      [0, 0.38],
    ],
    homePlate: [
      [0, 0],
      [0.75, 0],
      [1, 0.5],
      [0.75, 1],
      [0, 1],
    ],
    chevron: [
      [0, 0],
      [0.75, 0],
      [1, 0.5],
      [0.75, 1],
      [0, 1],
      [0.25, 0.5],
    ],
    rightArrow: [
      [0, 0.25],
      [0.7, 0.25],
      [0.7, 0],
      [1, 0.5],
      [0.7, 1],
      [0.7, 0.75],
      [0, 0.75],
    ],
    leftArrow: [
      [1, 0.25],
      [0.3, 0.25],
      [0.3, 0],
      [0, 0.5],
      [0.3, 1],
      [0.3, 0.75],
      [1, 0.75],
    ],
    downArrow: [
      [0.25, 0],
      [0.25, 0.7],
      [0, 0.7],
      [0.5, 1],
      [1, 0.7],
      [0.75, 0.7],
      [0.75, 0],
    ],
    upArrow: [
      [0.25, 1],
      [0.25, 0.3],
      [0, 0.3],
      [0.5, 0],
      [1, 0.3],
      [0.75, 0.3],
      [0.75, 1],
    ],
    leftRightArrow: [
      [0, 0.5],
      [0.2, 0],
      [0.2, 0.25],
      [0.8, 0.25],
      [0.8, 0],
      [1, 0.5],
      [0.8, 1],
      [0.8, 0.75],
      [0.2, 0.75],
      [0.2, 1],
    ],
    mathPlus: [
      [0.4, 0.1],
      [0.6, 0.1],
      [0.6, 0.4],
      [0.9, 0.4],
      [0.9, 0.6],
      [0.6, 0.6],
      [0.6, 0.9],
      [0.4, 0.9],
      [0.4, 0.6],
      [0.1, 0.6],
      [0.1, 0.4],
      [0.4, 0.4],
    ],
    star5: [
      [0.5, 0],
      [0.62, 0.38],
      [1, 0.38],
      [0.69, 0.62],
      [0.81, 1],
      [0.5, 0.77],
      [0.19, 1],
      [0.31, 0.62],
      [0, 0.38],
      [0.38, 0.38],
    ],
  }),
);
const ROUND = new Set(["ellipse", "flowChartConnector", "donut", "pie", "chord"]);
const ROUNDED =
  /^(?:round|snip|flowChartTerminator|flowChartAlternateProcess|wedgeRoundRect|plaque)/;
const LINES = /^(?:line|straightConnector\d|bentConnector\d|curvedConnector\d)$/;
const MAX_STEPS = 5_000;

export interface Outline {
  readonly path: string;
  /** The shape is a line, not an area. */
  readonly isLine: boolean;
}

export function outlineOf(properties: XmlElement | undefined, box: Box): Outline {
  const custom = child(properties, "custGeom");
  if (custom !== undefined) return { path: customPath(custom, box), isLine: false };
  const preset = child(properties, "prstGeom");
  const name = preset?.attributes["prst"] ?? "rect";
  if (LINES.test(name)) return { path: connector(name, box), isLine: true };
  const points = POLYGONS.get(name);
  if (points) return { path: polygon(points, box), isLine: false };
  if (ROUND.has(name)) return { path: ellipse(box), isLine: false };
  if (ROUNDED.test(name)) return { path: rounded(box, cornerOf(preset, name)), isLine: false };
  return { path: rectangle(box), isLine: false };
}

function rectangle({ x, y, width, height }: Box): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
}

function connector(name: string, { x, y, width, height }: Box): string {
  const start = `M${short(x)} ${short(y)}`;
  if (name.startsWith("bent"))
    return `${start}h${short(width / 2)}v${short(height)}h${short(width / 2)}`;
  return `${start}l${short(width)} ${short(height)}`;
}

function polygon(points: Points, { x, y, width, height }: Box): string {
  const at = points.map(
    ([across, down]) => `${short(x + across * width)} ${short(y + down * height)}`,
  );
  return `M${at.join("L")}z`;
}

function ellipse({ x, y, width, height }: Box): string {
  const [rx, ry] = [short(width / 2), short(height / 2)];
  const turn = (by: number) => `a${rx} ${ry} 0 1 1 ${short(by)} 0`;
  return `M${short(x)} ${short(y + height / 2)}${turn(width)}${turn(-width)}z`;
}

/** As a share of the shorter side. */
function cornerOf(preset: XmlElement | undefined, name: string): number {
  if (name === "flowChartTerminator") return 0.5;
  const given = preset === undefined ? undefined : descendants(preset, "gd")[0]?.attributes["fmla"];
  const share = Number(/^val (\d+)$/.exec(given ?? "")?.[1] ?? 16_667) / 100_000;
  return Math.min(0.5, share);
}

function rounded({ x, y, width, height }: Box, share: number): string {
  const r = Math.min(width, height) * share;
  const arc = (dx: number, dy: number) =>
    `a${short(r)} ${short(r)} 0 0 1 ${short(dx)} ${short(dy)}`;
  return [
    `M${short(x + r)} ${short(y)}h${short(width - 2 * r)}${arc(r, r)}`,
    `v${short(height - 2 * r)}${arc(-r, r)}h${short(2 * r - width)}${arc(-r, -r)}`,
    `v${short(2 * r - height)}${arc(r, -r)}z`,
  ].join("");
}

const LETTERS = new Map(
  Object.entries({
    moveTo: "M",
    lnTo: "L",
    cubicBezTo: "C",
    quadBezTo: "Q",
  }),
);

/** A path drawn by hand. Arcs and computed points are left out. */
function customPath(custom: XmlElement, box: Box): string {
  return descendants(custom, "path")
    .flatMap((path) => {
      const across = box.width / (Number(path.attributes["w"]) || box.width);
      const down = box.height / (Number(path.attributes["h"]) || box.height);
      return elements(path)
        .slice(0, MAX_STEPS)
        .map((step) => {
          if (step.name === "close") return "z";
          const points = elements(step).map(({ attributes }) => [
            short(box.x + (Number(attributes["x"]) || 0) * across),
            short(box.y + (Number(attributes["y"]) || 0) * down),
          ]);
          const letter = LETTERS.get(step.name);
          return letter === undefined || points.length === 0
            ? ""
            : letter + points.flat().join(" ");
        });
    })
    .join("");
}
