interface LineChartProps {
  /** From the oldest to the newest; at least two. */
  readonly values: readonly number[];
  /** The top of the scale. */
  readonly top: number;
  /** From the top down. */
  readonly scale: readonly string[];
  readonly ends: readonly [string, string];
  /** Its accessible name. */
  readonly label: string;
}

// The drawing is stretched to its box; text is kept outside it so that it is not stretched.
const SIDE = 100;

export function LineChart({ values, top, scale, ends, label }: LineChartProps) {
  const x = (at: number) => ((at / (values.length - 1)) * SIDE).toFixed(2);
  const y = (value: number) => (SIDE - (value / (top || 1)) * SIDE).toFixed(2);
  const line = `M${values.map((value, at) => `${x(at)} ${y(value)}`).join("L")}`;
  return (
    <div class="chart" role="img" aria-label={label}>
      <span class="chart-scale">
        {scale.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </span>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="chart-grid" d={`M0 0H${SIDE}M0 ${SIDE / 2}H${SIDE}`} />
        <path class="chart-area" d={`${line}V${SIDE}H0Z`} />
        <path class="chart-line" d={line} />
      </svg>
      <span class="chart-ends">
        {ends.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </span>
    </div>
  );
}
