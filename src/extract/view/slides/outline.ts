// The outlines of common shapes, by PowerPoint's names; all others are their box.

import type { Box } from "../../box.ts";
import { type Outline, short } from "./canvas.ts";

// Corners as shares of width and height: x y, x y, …
const POLYGONS = new Map(
  Object.entries({
    triangle: ".5 0, 1 1, 0 1",
    rtTriangle: "0 0, 1 1, 0 1",
    diamond: ".5 0, 1 .5, .5 1, 0 .5",
    flowChartDecision: ".5 0, 1 .5, .5 1, 0 .5",
    parallelogram: ".25 0, 1 0, .75 1, 0 1",
    trapezoid: ".25 0, .75 0, 1 1, 0 1",
    hexagon: ".25 0, .75 0, 1 .5, .75 1, .25 1, 0 .5",
    homePlate: "0 0, .75 0, 1 .5, .75 1, 0 1",
    chevron: "0 0, .75 0, 1 .5, .75 1, 0 1, .25 .5",
    rightArrow: "0 .25, .7 .25, .7 0, 1 .5, .7 1, .7 .75, 0 .75",
    leftArrow: "1 .25, .3 .25, .3 0, 0 .5, .3 1, .3 .75, 1 .75",
    downArrow: ".25 0, .25 .7, 0 .7, .5 1, 1 .7, .75 .7, .75 0",
    upArrow: ".25 1, .25 .3, 0 .3, .5 0, 1 .3, .75 .3, .75 1",
  }),
);
const ROUND = /ellipse|circle|donut|pie|chord|flowChartConnector/i;
const ROUNDED = /round|snip|plaque|flowChartTerminator|flowChartAlternateProcess/i;
const LINES = /^(?:line|(?:straight|bent|curved)Connector\d)$/;

interface Shaped {
  readonly box: Box;
  /** A corner's radius, as a share of the shorter side. */
  readonly corner?: number;
  readonly flipped?: { readonly across: boolean; readonly down: boolean };
}

export function isLine(name: string): boolean {
  return LINES.test(name);
}

export function outlineOf(name: string, shaped: Shaped): Outline {
  const { x, y, width, height } = shaped.box;
  const at = pointIn(shaped);
  if (isLine(name)) {
    const bend = name.startsWith("bent") ? `L${at(0.5, 0)}L${at(0.5, 1)}` : "";
    return ["path", { d: `M${at(0, 0)}${bend}L${at(1, 1)}` }];
  }
  const corners = POLYGONS.get(name)?.split(",");
  if (corners !== undefined) {
    const points = corners.map((corner) => {
      const [across = 0, down = 0] = corner.trim().split(" ").map(Number);
      return at(across, down);
    });
    return ["path", { d: `M${points.join("L")}z` }];
  }
  const [rx, ry] = [width / 2, height / 2];
  if (ROUND.test(name)) return ["ellipse", { cx: x + rx, cy: y + ry, rx, ry }];
  const radius = ROUNDED.test(name)
    ? Math.min(width, height) * Math.min(0.5, shaped.corner ?? 1 / 6)
    : undefined;
  return ["rect", { x, y, width, height, rx: radius }];
}

/** The point at a share of width and height, as a path has it. */
export function pointIn({ box, flipped }: Shaped): (across: number, down: number) => string {
  return (across, down) => {
    const [right, below] = [flipped?.across ? 1 - across : across, flipped?.down ? 1 - down : down];
    return `${short(box.x + right * box.width)} ${short(box.y + below * box.height)}`;
  };
}
