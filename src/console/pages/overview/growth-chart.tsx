// Cumulative count over time as a step line; the summary is its accessible name.

export interface GrowthPoint {
  readonly at: number;
  readonly count: number;
}

// The drawing is stretched to its box; text is outside it, so that it is not.
const SIDE = 100;
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
  const x = (at: number) => ((at - since) / (until - since)) * SIDE;
  const y = (count: number) => SIDE - (count / last.count) * SIDE;
  const steps = points
    .map((point) => `H${x(point.at).toFixed(2)}V${y(point.count).toFixed(2)}`)
    .join("");
  const line = `M0 ${SIDE}${steps}H${SIDE}`;
  return (
    <div class="chart" role="img" aria-label={label}>
      <span>{last.count}</span>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="chart-area" d={`${line}V${SIDE}H0Z`} />
        <path class="chart-line" d={line} />
      </svg>
      <span class="chart-ends">
        <span>{formatTime(since, until - since)}</span>
        <span>{formatTime(until, until - since)}</span>
      </span>
    </div>
  );
}
