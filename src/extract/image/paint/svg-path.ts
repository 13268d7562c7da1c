// SVG's path data → PDF operators. What follows something that cannot be read is left out, as viewers do.
import { arcCurves, type Curve } from "./svg-arc.ts";

const TOKENS = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const ARGUMENTS = new Map(
  Object.entries({
    m: 2,
    l: 2,
    h: 1,
    v: 1,
    c: 6,
    s: 4,
    q: 4,
    t: 2,
    a: 7,
    z: 0,
  }),
);

interface Pen {
  x: number;
  y: number;
  startX: number;
  startY: number;
  /** The last curve's control point, which smooth curves continue from. */
  controlX: number;
  controlY: number;
  last: string;
}

export function pathOperators(data: string): string {
  const tokens = splitFlags(data.match(TOKENS) ?? []);
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0, controlX: 0, controlY: 0, last: "" };
  const out: string[] = [];
  let command = "";
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] ?? "";
    if (isCommand(token)) {
      command = token;
      at += 1;
    }
    const kind = command.toLowerCase();
    const values = argumentsAt(tokens, at, kind);
    if (values === undefined) break;
    draw({ kind, values, isRelative: command === kind }, pen, out);
    at += values.length;
    command = nextCommand(command);
  }
  return out.join("\n");
}

function isCommand(token: string): boolean {
  return /^[a-z]$/i.test(token);
}

/** Undefined if nothing readable is left. */
function argumentsAt(tokens: readonly string[], at: number, kind: string) {
  const count = ARGUMENTS.get(kind);
  if (count === undefined) return undefined;
  const values = tokens.slice(at, at + count).map(Number);
  return values.length === count && values.every(Number.isFinite) ? values : undefined;
}

/** After a move, further pairs are lines; numbers after a closed figure are an error. */
function nextCommand(command: string): string {
  const next: Readonly<Record<string, string>> = { m: "l", M: "L", z: "", Z: "" };
  return next[command] ?? command;
}

/** An arc's two flags may be written without a separator before the next number: "a1 1 0 01.5 2". */
function splitFlags(tokens: readonly string[]): readonly string[] {
  const out: string[] = [];
  let arc = -1;
  for (const token of tokens) {
    if (isCommand(token)) {
      arc = token.toLowerCase() === "a" ? 0 : -1;
      out.push(token);
      continue;
    }
    const parts = arc < 0 ? [token] : flagsIn(token, arc);
    out.push(...parts);
    if (arc >= 0) arc += parts.length;
  }
  return out;
}

function flagsIn(token: string, first: number): readonly string[] {
  const parts: string[] = [];
  for (let rest = token; rest !== ""; ) {
    const place = (first + parts.length) % 7;
    const taken = place === 3 || place === 4 ? rest.slice(0, 1) : rest;
    parts.push(taken);
    rest = rest.slice(taken.length);
  }
  return parts;
}

interface Step {
  readonly kind: string;
  readonly values: readonly number[];
  readonly isRelative: boolean;
}

function draw(step: Step, pen: Pen, out: string[]): void {
  if ("csqta".includes(step.kind)) for (const curve of curvesOf(step, pen)) bend(curve, pen, out);
  else drawStraight(step, pen, out);
  pen.last = step.kind;
}

/** Converts arguments to absolute positions; those of a relative step count from the pen. */
function placesOf({ values, isRelative }: Step, pen: Pen) {
  const [originX, originY] = isRelative ? [pen.x, pen.y] : [0, 0];
  return {
    x: (at: number) => (values[at] ?? 0) + originX,
    y: (at: number) => (values[at] ?? 0) + originY,
  };
}

function drawStraight(step: Step, pen: Pen, out: string[]): void {
  const { x, y } = placesOf(step, pen);
  const line = (toX: number, toY: number) => {
    out.push(`${text(toX)} ${text(toY)} l`);
    move(pen, toX, toY);
  };
  switch (step.kind) {
    case "m":
      out.push(`${text(x(0))} ${text(y(1))} m`);
      move(pen, x(0), y(1));
      [pen.startX, pen.startY] = [pen.x, pen.y];
      break;
    case "l":
      line(x(0), y(1));
      break;
    case "h":
      line(x(0), pen.y);
      break;
    case "v":
      line(pen.x, y(0));
      break;
    default:
      out.push("h");
      move(pen, pen.startX, pen.startY);
  }
}

interface Bend {
  readonly curve: Curve;
  /** Where a smooth curve continues, if not from this curve's second control point. */
  readonly control?: readonly [number, number];
}

function bend({ curve, control = [curve[2], curve[3]] }: Bend, pen: Pen, out: string[]): void {
  out.push(`${curve.map(text).join(" ")} c`);
  move(pen, curve[4], curve[5], false);
  [pen.controlX, pen.controlY] = control;
}

function curvesOf(step: Step, pen: Pen): readonly Bend[] {
  const { x, y } = placesOf(step, pen);
  switch (step.kind) {
    case "c":
      return [{ curve: [x(0), y(1), x(2), y(3), x(4), y(5)] }];
    case "s":
      return [{ curve: [...smooth(pen, "cs"), x(0), y(1), x(2), y(3)] }];
    case "q":
      return [quadratic(pen, [x(0), y(1)], [x(2), y(3)])];
    case "t":
      return [quadratic(pen, smooth(pen, "qt"), [x(0), y(1)])];
    default:
      return [...arcCurves(pen, step.values, { x: x(5), y: y(6) })].map((curve) => ({ curve }));
  }
}

/** The mirror image of the last control point, if the last step had one of that kind. */
function smooth(pen: Pen, kinds: string): readonly [number, number] {
  const continues = kinds.includes(pen.last) && pen.last !== "";
  return continues ? [2 * pen.x - pen.controlX, 2 * pen.y - pen.controlY] : [pen.x, pen.y];
}

function quadratic(
  { x, y }: Pen,
  control: readonly [number, number],
  to: readonly [number, number],
): Bend {
  const third = (from: number, towards: number) => from + ((towards - from) * 2) / 3;
  const first = [third(x, control[0]), third(y, control[1])] as const;
  const second = [third(to[0], control[0]), third(to[1], control[1])] as const;
  return { curve: [...first, ...second, ...to], control };
}

function move(pen: Pen, x: number, y: number, resets = true): void {
  pen.x = x;
  pen.y = y;
  if (resets) [pen.controlX, pen.controlY] = [x, y];
}

/** PDF does not support exponents. */
function text(value: number): string {
  return value.toFixed(4);
}
