// Cumulative count over time as a step line. Drawn in SVG; the summary is its accessible name.

export interface GrowthPoint {
  readonly at: number;
  readonly count: number;
}

const WIDTH = 960;
const HEIGHT = 160;
const LEFT = 40;
const BOTTOM = 22;
const HOUR_MS = 3_600_000;

export function growth(dates: readonly string[]): readonly GrowthPoint[] {
  return dates
    .map((date) => Date.parse(date))
    .sort((a, b) => a - b)
    .map((at, index) => ({ at, count: index + 1 }));
}

interface GrowthChartProps {
  readonly points: readonly GrowthPoint[];
  readonly label: string;
  readonly formatTime: (at: number, spanMs: number) => string;
}

export function GrowthChart({ points, label, formatTime }: GrowthChartProps) {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const until = Math.max(Date.now(), last.at + HOUR_MS);
  // Room before the first document, so that a base filled in one go shows a step and not a cliff at the edge.
  const since = first.at - Math.max(HOUR_MS, (until - first.at) / 6);
  const x = (at: number) => LEFT + ((at - since) / (until - since)) * (WIDTH - LEFT - 8);
  const y = (count: number) => HEIGHT - BOTTOM - (count / last.count) * (HEIGHT - BOTTOM - 10);
  const steps = points
    .map((point) => `H${x(point.at).toFixed(1)}V${y(point.count).toFixed(1)}`)
    .join("");
  const line = `M${LEFT} ${y(0)}${steps}H${x(until)}`;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path class="chart-area" d={`${line}V${y(0)}H${LEFT}Z`} />
      <path class="chart-line" d={line} />
      <path class="chart-axis" d={`M${LEFT} ${y(0)}H${WIDTH - 8}`} />
      <text x={LEFT - 6} y={y(last.count) + 4} text-anchor="end">
        {last.count}
      </text>
      <text x={LEFT - 6} y={y(0) + 4} text-anchor="end">
        0
      </text>
      <text x={LEFT} y={HEIGHT - 4}>
        {formatTime(since, until - since)}
      </text>
      <text x={WIDTH - 8} y={HEIGHT - 4} text-anchor="end">
        {formatTime(until, until - since)}
      </text>
    </svg>
  );
}
