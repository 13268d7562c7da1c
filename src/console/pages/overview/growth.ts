export interface GrowthDay {
  /** The start of the day, local time. */
  readonly at: number;
  /** The number of documents at the end of the day; for today, the number now. */
  readonly count: number;
}

const MAX_DAYS = 90;

/** Covers the days from the first document to today, at most the last 90. */
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

/** Twice a year a day has 23 or 25 hours. */
function nextDay(day: number): number {
  const date = new Date(day);
  return date.setDate(date.getDate() + 1);
}
