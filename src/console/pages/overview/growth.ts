export interface GrowthDay {
  /** Its start, local time. */
  readonly at: number;
  /** Documents at its end; today's, now. */
  readonly count: number;
}

const MAX_DAYS = 90;

/** From the day of the first document to today, never beyond; at most the last 90 days. */
export function growthByDay(dates: readonly string[], now: number): readonly GrowthDay[] {
  const added = dates.map((date) => dayOf(Date.parse(date))).sort((a, b) => a - b);
  const days: GrowthDay[] = [];
  const today = dayOf(now);
  const first = added[0];
  if (first === undefined) return [];
  const counted = { at: 0 };
  for (let day = Math.min(first, today); day <= today; day = nextDay(day)) {
    while ((added[counted.at] ?? Number.POSITIVE_INFINITY) <= day) counted.at += 1;
    days.push({ at: day, count: counted.at });
  }
  return days.slice(-MAX_DAYS);
}

function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Days have 23 or 25 hours twice a year. */
function nextDay(day: number): number {
  const date = new Date(day);
  return date.setDate(date.getDate() + 1);
}
