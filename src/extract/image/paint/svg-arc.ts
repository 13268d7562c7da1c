// An elliptic arc of an SVG path as curves of at most a quarter turn each (SVG 1.1, appendix F.6).

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cubic Bézier curve: its two control points and its end. */
export type Curve = readonly [number, number, number, number, number, number];

/** `values` are the two radii, the rotation in degrees, and the two flags of a path's arc command. */
export function* arcCurves(from: Point, values: readonly number[], to: Point): Generator<Curve> {
  const [radiusX = 0, radiusY = 0] = values;
  if (radiusX === 0 || radiusY === 0 || (from.x === to.x && from.y === to.y)) {
    yield [from.x, from.y, to.x, to.y, to.x, to.y];
    return;
  }
  const { start, turn, place } = toEllipse(from, values, to);
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

/** Part of an ellipse: its start angle, how far it goes round, and the mapping from the unit circle to it. */
interface Ellipse {
  readonly start: number;
  readonly turn: number;
  readonly place: (u: number, v: number) => readonly [number, number];
}

/** Computes an arc's centre and angles from its two ends, as in the appendix. */
function toEllipse(from: Point, values: readonly number[], to: Point): Ellipse {
  const [givenX = 0, givenY = 0, degrees = 0, large = 0, sweep = 0] = values;
  let [radiusX, radiusY] = [Math.abs(givenX), Math.abs(givenY)];
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [halfX, halfY] = [(from.x - to.x) / 2, (from.y - to.y) / 2];
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
    cos * centreX - sin * centreY + (from.x + to.x) / 2,
    sin * centreX + cos * centreY + (from.y + to.y) / 2,
  ];
  const place = (u: number, v: number): readonly [number, number] => [
    middleX + cos * radiusX * u - sin * radiusY * v,
    middleY + sin * radiusX * u + cos * radiusY * v,
  ];
  return { start, turn, place };
}
