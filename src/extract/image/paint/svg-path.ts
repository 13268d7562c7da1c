// SVG's path data → PDF operators. What follows something that cannot be read is left out, as viewers do.

const TOKENS = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const ARGUMENTS = new Map(
  Object.entries({ m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }),
);
// After a move, further pairs are lines; numbers after a closed figure are an error.
const NEXT = new Map(Object.entries({ m: "l", M: "L", z: "", Z: "" }));

type Point = readonly [x: number, y: number];

interface Pen {
  at: Point;
  start: Point;
  /** The last curve's control point, which smooth curves continue from. */
  control: Point;
  last: string;
}

export function pathOperators(data: string): string {
  const tokens = splitFlags(data.match(TOKENS) ?? []);
  const pen: Pen = { at: [0, 0], start: [0, 0], control: [0, 0], last: "" };
  const out: string[] = [];
  let command = "";
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] ?? "";
    if (isCommand(token)) {
      command = token;
      at += 1;
    }
    const kind = command.toLowerCase();
    const count = ARGUMENTS.get(kind) ?? Number.NaN;
    const values = tokens.slice(at, at + count).map(Number);
    if (values.length !== count || !values.every(Number.isFinite)) break;
    out.push(...draw(kind, command === kind ? absolute(kind, values, pen) : values, pen));
    pen.last = kind;
    at += count;
    command = NEXT.get(command) ?? command;
  }
  return out.join("\n");
}

function isCommand(token: string): boolean {
  return /^[a-z]$/i.test(token);
}

/** An arc's two flags may be written without a separator before the next number: "a1 1 0 01.5 2". */
function splitFlags(tokens: readonly string[]): readonly string[] {
  const out: string[] = [];
  let arc = Number.NaN;
  for (const token of tokens) {
    if (isCommand(token)) arc = token.toLowerCase() === "a" ? out.length + 1 : Number.NaN;
    let rest = token;
    while (/^\d./.test(rest) && [3, 4].includes((out.length - arc) % 7)) {
      out.push(rest.slice(0, 1));
      rest = rest.slice(1);
    }
    out.push(rest);
  }
  return out;
}

/** Positions of a relative step count from the pen; an arc's first five values are no positions. */
function absolute(kind: string, values: readonly number[], { at: [x, y] }: Pen): readonly number[] {
  const first = kind === "a" ? 5 : 0;
  const isDown = (place: number) => (place - first) % 2 === (kind === "v" ? 0 : 1);
  return values.map((value, place) => {
    const origin = isDown(place) ? y : x;
    return place < first ? value : value + origin;
  });
}

function draw(kind: string, values: readonly number[], pen: Pen): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = values;
  const [x, y] = pen.at;
  switch (kind) {
    case "m":
      pen.start = [a, b];
      return [straight(pen, pen.start, "m")];
    case "l":
      return [straight(pen, [a, b], "l")];
    case "h":
      return [straight(pen, [a, y], "l")];
    case "v":
      return [straight(pen, [x, a], "l")];
    case "z":
      pen.at = pen.start;
      return ["h"];
    case "c":
      return [curve(pen, [a, b], [c, d], [e, f])];
    case "s":
      return [curve(pen, mirrored(pen, "cs"), [a, b], [c, d])];
    case "q":
      return [quadratic(pen, [a, b], [c, d])];
    case "t":
      return [quadratic(pen, mirrored(pen, "qt"), [a, b])];
    default:
      return arc(pen, values.slice(0, 5), [f, g]);
  }
}

function straight(pen: Pen, to: Point, operator: "m" | "l"): string {
  pen.at = to;
  return `${to.map(text).join(" ")} ${operator}`;
}

function curve(pen: Pen, first: Point, second: Point, to: Point): string {
  pen.at = to;
  pen.control = second;
  return `${[...first, ...second, ...to].map(text).join(" ")} c`;
}

function quadratic(pen: Pen, control: Point, to: Point): string {
  const towards = ([x, y]: Point): Point => [
    x + ((control[0] - x) * 2) / 3,
    y + ((control[1] - y) * 2) / 3,
  ];
  const operator = curve(pen, towards(pen.at), towards(to), to);
  pen.control = control;
  return operator;
}

/** The mirror image of the last control point, if the last step had one of that kind. */
function mirrored({ at, control, last }: Pen, kinds: string): Point {
  const continues = last !== "" && kinds.includes(last);
  return continues ? [2 * at[0] - control[0], 2 * at[1] - control[1]] : at;
}

/** `shape` has the two radii, the rotation in degrees and the two flags. Curves of at most a quarter turn replace it. */
function arc(pen: Pen, shape: readonly number[], to: Point): readonly string[] {
  const [radiusX = 0, radiusY = 0] = shape;
  const { at } = pen;
  if (radiusX === 0 || radiusY === 0 || (at[0] === to[0] && at[1] === to[1]))
    return [straight(pen, to, "l")];
  const { start, turn, place } = toEllipse(at, shape, to);
  const parts = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2)));
  const step = turn / parts;
  const reach = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: parts }, (_, part) => {
    const [from, until] = [start + part * step, start + (part + 1) * step];
    return curve(
      pen,
      place(Math.cos(from) - reach * Math.sin(from), Math.sin(from) + reach * Math.cos(from)),
      place(Math.cos(until) + reach * Math.sin(until), Math.sin(until) - reach * Math.cos(until)),
      place(Math.cos(until), Math.sin(until)),
    );
  });
}

/**
 * An arc's start angle, how far it goes round, and the mapping from the unit circle to its ellipse
 * (SVG 1.1, appendix F.6).
 */
function toEllipse(from: Point, shape: readonly number[], to: Point) {
  const [givenX = 0, givenY = 0, degrees = 0, large = 0, sweep = 0] = shape;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [halfX, halfY] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const [x, y] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  const stretch = Math.max(1, Math.hypot(x / givenX, y / givenY));
  const [radiusX, radiusY] = [Math.abs(givenX) * stretch, Math.abs(givenY) * stretch];
  const below = (radiusX * y) ** 2 + (radiusY * x) ** 2;
  const ratio = Math.sqrt(Math.max(0, (radiusX * radiusY) ** 2 - below) / below);
  const side = large === sweep ? -ratio : ratio;
  const [centreX, centreY] = [(side * radiusX * y) / radiusY, (-side * radiusY * x) / radiusX];
  const start = Math.atan2((y - centreY) / radiusY, (x - centreX) / radiusX);
  const straightTurn = Math.atan2((-y - centreY) / radiusY, (-x - centreX) / radiusX) - start;
  const isBackwards = sweep === 1 ? straightTurn < 0 : straightTurn > 0;
  const full = sweep === 1 ? 2 * Math.PI : -2 * Math.PI;
  const [middleX, middleY] = [
    cos * centreX - sin * centreY + (from[0] + to[0]) / 2,
    sin * centreX + cos * centreY + (from[1] + to[1]) / 2,
  ];
  const place = (u: number, v: number): Point => [
    middleX + cos * radiusX * u - sin * radiusY * v,
    middleY + sin * radiusX * u + cos * radiusY * v,
  ];
  return { start, turn: isBackwards ? straightTurn + full : straightTurn, place };
}

/** PDF does not support exponents. */
function text(value: number): string {
  return value.toFixed(4);
}
