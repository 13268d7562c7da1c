// Numbers over time: the documents at the end of each day, and the searches and questions of each day.
import { LineChart } from "../parts/line-chart.tsx";
import { formatDay, useI18n } from "../state/language.ts";
import { call, readApi } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";
import { type GrowthDay, growthByDay } from "./growth.ts";

/** A single day shows no growth, so nothing is drawn. */
export function Growth({ changed }: { changed: string }) {
  const { t } = useI18n();
  const { data: dates = [] } = useLive(allDates, 0, [changed]);
  const days = growthByDay(dates, Date.now());
  if (days.length < 2) return null;
  return (
    <section class="card" aria-labelledby="growth">
      <h2 id="growth">{t("growth")}</h2>
      <GrowthChart days={days} />
    </section>
  );
}

const PAGE = 1_000;

async function allDates(signal: AbortSignal): Promise<readonly string[]> {
  const dates: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call("knowledge-show", { limit: PAGE, offset }, signal);
    dates.push(...page.documents.map(({ date_added }) => date_added));
    if (dates.length >= page.total_count || page.documents.length === 0) return dates;
  }
}

/** With a scale; the summary is its accessible name. */
function GrowthChart({ days }: { readonly days: readonly GrowthDay[] }) {
  const { t, language } = useI18n();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const { count } = last;
  return (
    <LineChart
      values={days.map((day) => day.count)}
      top={count}
      scale={[count, Math.round(count / 2), 0].map((each) => each.toLocaleString(language))}
      ends={[formatDay(first.at, language), t("today")]}
      label={t("growthOf", count, days.length)}
    />
  );
}

interface UsageDay {
  readonly day: string;
  readonly searches: number;
  readonly answers: number;
  readonly nothing: number;
}

interface Counted {
  readonly counting: boolean;
  readonly days: readonly UsageDay[];
}

const EVERY_MS = 5_000;
const SHOWN = 7;

/** The last week, newest first. Hidden if nothing is counted. */
export function UsageByDay() {
  const { t } = useI18n();
  const { data } = useLive((signal) => readApi<Counted>("/api/usage", signal), EVERY_MS);
  if (!data?.counting) return null;
  const days = data.days.slice(-SHOWN).toReversed();
  const most = Math.max(...days.map(askedOn), 1);
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">{t("usage")}</h2>
      <ul class="bars">
        {days.map((day) => (
          <Bar key={day.day} day={day} most={most} />
        ))}
      </ul>
      <p class="muted small">{t(days.length === 0 ? "usageNone" : "usageNote")}</p>
    </section>
  );
}

function Bar({ day, most }: { readonly day: UsageDay; readonly most: number }) {
  const { t, language } = useI18n();
  const { searches, answers, nothing } = day;
  const facts = [
    searches > 0 && t("usageSearches", searches),
    answers > 0 && t("usageAnswers", answers),
    nothing > 0 && t("usageNothing", nothing),
  ];
  // Noon, so that a time zone cannot move it to another day.
  const noon = Date.parse(`${day.day}T12:00:00`);
  return (
    <li>
      <time dateTime={day.day}>{formatDay(noon, language)}</time>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(askedOn(day) / most) * 100} height="1" />
      </svg>
      <span class="muted small">{facts.filter(Boolean).join(" · ")}</span>
    </li>
  );
}

function askedOn({ searches, answers }: UsageDay): number {
  return searches + answers;
}
