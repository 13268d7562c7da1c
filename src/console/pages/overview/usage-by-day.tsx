// Searches and questions per day of the last week, newest first. Hidden if they are not counted.
import { useI18n } from "../state/language.ts";
import { authHeaders } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";

const EVERY_MS = 5_000;
const SHOWN = 7;

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

export function UsageByDay() {
  const { t } = useI18n();
  const { data } = useLive(async (signal): Promise<Counted> => {
    const response = await fetch("/api/usage", { signal, headers: authHeaders() });
    return response.ok ? response.json() : { counting: false, days: [] };
  }, EVERY_MS);
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
  // Noon, so that a time zone cannot move it to another day.
  const date = new Date(`${day.day}T12:00:00`);
  const format = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
  const facts = [
    searches > 0 && t("usageSearches", searches),
    answers > 0 && t("usageAnswers", answers),
    nothing > 0 && t("usageNothing", nothing),
  ];
  return (
    <li>
      <time dateTime={day.day}>{format.format(date)}</time>
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
