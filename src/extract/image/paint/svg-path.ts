// SVG's path data → PDF operators. What follows something that cannot be read is left out, as viewers do.

const TOKENS = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const ARGUMENTS: Readonly<Record<string, number>> = {
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
};

interface Pen {
  x: number;
  y: number;
  startX: number;
  startY: number;
  /** Where the last curve came from: smooth ones continue it. */
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
    if (/^[a-z]$/i.test(token)) {
      command = token;
      at += 1;
    }
    const kind = command.toLowerCase();
    const count = ARGUMENTS[kind];
    if (count === undefined) break;
    const values = tokens.slice(at, at + count).map(Number);
    if (values.length < count || values.some((value) => !Number.isFinite(value))) break;
    draw({ kind, values, isRelative: command === kind }, pen, out);
    at += count;
    // Pairs after the first are lines; numbers after the end of a figure are an error.
    if (kind === "m") command = command === "m" ? "l" : "L";
    if (kind === "z") command = "";
  }
  return out.join("\n");
}

/** An arc's two flags may be written without anything between them and the next number: "a1 1 0 01.5 2". */
function splitFlags(tokens: readonly string[]): readonly string[] {
  const out: string[] = [];
  let arc = -1;
  for (const token of tokens) {
    if (/^[a-z]$/i.test(token)) {
      arc = token.toLowerCase() === "a" ? 0 : -1;
      out.push(token);
      continue;
    }
    let rest = token;
    while (rest !== "") {
      const isFlag = arc >= 0 && (arc % 7 === 3 || arc % 7 === 4);
      const taken = isFlag ? rest.slice(0, 1) : rest;
      out.push(taken);
      rest = rest.slice(taken.length);
      if (arc >= 0) arc += 1;
    }
  }
  return out;
}

interface Step {
  readonly kind: string;
  readonly values: readonly number[];
  readonly isRelative: boolean;
}

function draw({ kind, values, isRelative }: Step, pen: Pen, out: string[]): void {
  const [originX, originY] = isRelative ? [pen.x, pen.y] : [0, 0];
  const x = (at: number) => (values[at] ?? 0) + originX;
  const y = (at: number) => (values[at] ?? 0) + originY;
  const line = (toX: number, toY: number) => {
    out.push(`${text(toX)} ${text(toY)} l`);
    move(pen, toX, toY);
  };
  const curve = (points: readonly [number, number, number, number, number, number]) => {
    out.push(`${points.map(text).join(" ")} c`);
    [pen.controlX, pen.controlY] = [points[2], points[3]];
    move(pen, points[4], points[5], false);
  };
  // The mirror image of the last control point, where the last step had one of that kind.
  const smooth = (kinds: string): readonly [number, number] =>
    kinds.includes(pen.last) && pen.last !== ""
      ? [2 * pen.x - pen.controlX, 2 * pen.y - pen.controlY]
      : [pen.x, pen.y];
  const quadratic = (controlX: number, controlY: number, toX: number, toY: number) => {
    const third = (from: number, to: number) => from + ((to - from) * 2) / 3;
    const [fromX, fromY] = [pen.x, pen.y];
    const first = [third(fromX, controlX), third(fromY, controlY)] as const;
    const second = [third(toX, controlX), third(toY, controlY)] as const;
    curve([...first, ...second, toX, toY]);
    [pen.controlX, pen.controlY] = [controlX, controlY];
  };
  switch (kind) {
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
      line(pen.x, (values[0] ?? 0) + originY);
      break;
    case "c":
      curve([x(0), y(1), x(2), y(3), x(4), y(5)]);
      break;
    case "s":
      curve([...smooth("cs"), x(0), y(1), x(2), y(3)]);
      break;
    case "q":
      quadratic(x(0), y(1), x(2), y(3));
      break;
    case "t":
      quadratic(...smooth("qt"), x(0), y(1));
      break;
    case "a":
      for (const points of arcCurves(pen, values, x(5), y(6))) curve(points);
      break;
    default:
      out.push("h");
      move(pen, pen.startX, pen.startY);
  }
  pen.last = kind;
}

function move(pen: Pen, x: number, y: number, resets = true): void {
  pen.x = x;
  pen.y = y;
  if (resets) [pen.controlX, pen.controlY] = [x, y];
}

type Curve = readonly [number, number, number, number, number, number];

/** An elliptic arc as curves of at most a quarter turn each (SVG 1.1, appendix F.6). */
function* arcCurves(
  pen: Pen,
  values: readonly number[],
  toX: number,
  toY: number,
): Generator<Curve> {
  const [givenX = 0, givenY = 0, degrees = 0, large = 0, sweep = 0] = values;
  const [fromX, fromY] = [pen.x, pen.y];
  let [radiusX, radiusY] = [Math.abs(givenX), Math.abs(givenY)];
  if (radiusX === 0 || radiusY === 0 || (fromX === toX && fromY === toY)) {
    yield [fromX, fromY, toX, toY, toX, toY];
    return;
  }
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [halfX, halfY] = [(fromX - toX) / 2, (fromY - toY) / 2];
  const [x, y] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  const stretch = Math.sqrt((x / radiusX) ** 2 + (y / radiusY) ** 2);
  if (stretch > 1) [radiusX, radiusY] = [radiusX * stretch, radiusY * stretch];
  const below = (radiusX * y) ** 2 + (radiusY * x) ** 2;
  const ratio = Math.sqrt(Math.max(0, (radiusX * radiusY) ** 2 - below) / below);
  const sign = large === sweep ? -1 : 1;
  const [centreX, centreY] = [
    (sign * ratio * radiusX * y) / radiusY,
    (-sign * ratio * radiusY * x) / radiusX,
  ];
  const start = Math.atan2((y - centreY) / radiusY, (x - centreX) / radiusX);
  let turn = Math.atan2((-y - centreY) / radiusY, (-x - centreX) / radiusX) - start;
  if (sweep === 1 && turn < 0) turn += 2 * Math.PI;
  if (sweep !== 1 && turn > 0) turn -= 2 * Math.PI;
  const [middleX, middleY] = [
    cos * centreX - sin * centreY + (fromX + toX) / 2,
    sin * centreX + cos * centreY + (fromY + toY) / 2,
  ];
  const place = (u: number, v: number): readonly [number, number] => [
    middleX + cos * radiusX * u - sin * radiusY * v,
    middleY + sin * radiusX * u + cos * radiusY * v,
  ];
  const parts = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2)));
  const step = turn / parts;
  const reach = (4 / 3) * Math.tan(step / 4);
  for (let part = 0; part < parts; part++) {
    const [a, b] = [start + part * step, start + (part + 1) * step];
    yield [
      ...place(Math.cos(a) - reach * Math.sin(a), Math.sin(a) + reach * Math.cos(a)),
      ...place(Math.cos(b) + reach * Math.sin(b), Math.sin(b) - reach * Math.cos(b)),
      ...place(Math.cos(b), Math.sin(b)),
    ];
  }
}

/** PDF knows no exponents. */
function text(value: number): string {
  return value.toFixed(4);
}
