// Risk–coverage curves as an SVG: of all questions with an answer, how many get it; of all shown, how many are right.
import type { Run } from "./ask.ts";

export interface Point {
  readonly gold: number;
  readonly right: number;
}

/** From the surest answer to the least sure one that is shown or would be. */
export function curveOf(runs: readonly Run[]): readonly Point[] {
  const sure = runs
    .filter(({ best }) => best !== undefined)
    .sort((a, b) => (b.best?.probability ?? 0) - (a.best?.probability ?? 0));
  const answerable = runs.filter(({ item }) => item.where === "present").length;
  const points: Point[] = [];
  let [right, gold] = [0, 0];
  for (const [at, { item, best }] of sure.entries()) {
    const isRight = item.holds(best?.text ?? "");
    right += Number(isRight);
    gold += Number(isRight && item.where === "present");
    if (at >= 9) points.push({ gold: gold / answerable, right: right / (at + 1) });
  }
  return points;
}

const [WIDTH, HEIGHT, LEFT, TOP] = [640, 400, 56, 24];
const PLOT = { width: 420, height: 310 };
const MIN_RIGHT = 0.5;
const COLOURS =
  "#0b6e4f #c8553d #2f4b9c #b07d00 #7a3b8f #008aa8 #555555 #d6278f #6b8e23 #8b4513".split(" ");

export function drawCurves(curves: ReadonlyMap<string, readonly Point[]>): string {
  const x = (gold: number) => LEFT + gold * PLOT.width;
  const y = (right: number) =>
    TOP + ((1 - Math.max(MIN_RIGHT, right)) / (1 - MIN_RIGHT)) * PLOT.height;
  const lines = [...curves].map(([name, points], at) => {
    const colour = COLOURS[at % COLOURS.length];
    const path = points
      .map(({ gold, right }) => `${x(gold).toFixed(1)},${y(right).toFixed(1)}`)
      .join(" ");
    const label = `<text x="${LEFT + PLOT.width + 16}" y="${TOP + 14 + at * 20}" fill="${colour}">${name}</text>`;
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.6" points="${path}"/>\n${label}`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (gold) =>
      `<text x="${x(gold)}" y="${TOP + PLOT.height + 18}" text-anchor="middle">${gold}</text>`,
  );
  const levels = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map(
    (right) =>
      `<line x1="${LEFT}" x2="${x(1)}" y1="${y(right)}" y2="${y(right)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(right) + 4}" text-anchor="end">${right}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Right answers of all shown, against the share of questions that get theirs</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...levels, ...ticks, ...lines].join("\n")}
<text x="${x(0.5)}" y="${HEIGHT - 14}" text-anchor="middle">questions with an answer that get it</text>
<text transform="translate(14 ${TOP + PLOT.height / 2}) rotate(-90)" text-anchor="middle">right, of all shown</text>
</svg>
`;
}
