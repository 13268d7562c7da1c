// The number of documents at the end of each day, with a scale; the summary is its accessible name.
import { useI18n } from "../state/language.ts";
import type { GrowthDay } from "./growth.ts";

interface GrowthChartProps {
  readonly days: readonly GrowthDay[];
}

// The drawing is stretched to its box; text is kept outside it so that it is not stretched.
const SIDE = 100;

export function GrowthChart({ days }: GrowthChartProps) {
  const { t, language } = useI18n();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
  const x = (at: number) => (at / (days.length - 1)) * SIDE;
  const y = (count: number) => SIDE - (count / last.count) * SIDE;
  const points = days.map(({ count }, at) => `${x(at).toFixed(2)} ${y(count).toFixed(2)}`);
  const line = `M${points.join("L")}`;
  return (
    <div class="chart" role="img" aria-label={t("growthOf", last.count, days.length)}>
      <span class="chart-scale">
        <span>{last.count.toLocaleString(language)}</span>
        <span>{Math.round(last.count / 2).toLocaleString(language)}</span>
        <span>0</span>
      </span>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="chart-grid" d={`M0 0H${SIDE}M0 ${SIDE / 2}H${SIDE}`} />
        <path class="chart-area" d={`${line}V${SIDE}H0Z`} />
        <path class="chart-line" d={line} />
      </svg>
      <span class="chart-ends">
        <span>{day.format(first.at)}</span>
        <span>{t("today")}</span>
      </span>
    </div>
  );
}
