const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

export function describeSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;
  return `${shown} ${UNITS[unit]}`;
}

export function describeSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Local time, to the minute. */
export function describeTime(iso: string): string {
  const date = new Date(iso);
  const pad = (part: number) => String(part).padStart(2, "0");
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
