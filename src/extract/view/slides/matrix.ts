// Places on a slide: the matrices that move, scale and turn boxes.
import type { Box } from "../../box.ts";

/** As in SVG's matrix(a b c d e f). */
export type Matrix = readonly [number, number, number, number, number, number];

export const UNMOVED: Matrix = [1, 0, 0, 1, 0, 0];

export function moved(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

export function scaled(across: number, down: number): Matrix {
  return [across, 0, 0, down, 0, 0];
}

/** In radians, clockwise around a point. */
export function turned(angle: number, x = 0, y = 0): Matrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
}

/** The last one is applied first. */
export function combined(...matrices: readonly Matrix[]): Matrix {
  return matrices.reduce(([a, b, c, d, e, f], [a2, b2, c2, d2, e2, f2]) => [
    a * a2 + c * b2,
    b * a2 + d * b2,
    a * c2 + c * d2,
    b * c2 + d * d2,
    a * e2 + c * f2 + e,
    b * e2 + d * f2 + f,
  ]);
}

/** The upright box around the moved one. */
export function movedBox([a, b, c, d, e, f]: Matrix, { x, y, width, height }: Box): Box {
  const corners = [x, x + width].flatMap((across) => [y, y + height].map((down) => [across, down]));
  const xs = corners.map(([across = 0, down = 0]) => a * across + c * down + e);
  const ys = corners.map(([across = 0, down = 0]) => b * across + d * down + f);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The box without a margin on each side. */
export function inset(
  { x, y, width, height }: Box,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Box {
  return {
    x: x + left,
    y: y + top,
    width: Math.max(1, width - left - right),
    height: height - top - bottom,
  };
}
