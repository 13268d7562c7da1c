// Converts the cells of a column with mixed units ("480 GB", "7.6 TB") to one unit.
import type { CellNumber } from "./cell-value.ts";
import type { Row } from "./grid.ts";

/** For each kind of quantity, its units as multiples of the first. */
const KINDS: readonly Readonly<Record<string, number>>[] = [
  { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, pb: 1e15 },
  { kib: 1, mib: 1024, gib: 1024 ** 2, tib: 1024 ** 3 },
  { mg: 1, g: 1e3, kg: 1e6, t: 1e9 },
  { mm: 1, cm: 10, m: 1e3, km: 1e6 },
  { ml: 1, cl: 10, dl: 100, l: 1e3 },
  { ms: 1, s: 1e3, sec: 1e3, min: 6e4, h: 3.6e6, hours: 3.6e6, hour: 3.6e6, days: 8.64e7 },
  { 秒: 1, 分: 60, 時間: 3600, 日: 86_400 },
  { w: 1, kw: 1e3, mw: 1e6, gw: 1e9 },
  { wh: 1, kwh: 1e3, mwh: 1e6, gwh: 1e9 },
];

export function alignUnits(rows: readonly Row[]): readonly Row[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const factors = Array.from({ length: width }, (_, at) => factorsOf(rows, at));
  if (factors.every((each) => each === undefined)) return rows;
  return rows.map((row) => ({
    ...row,
    values: row.values.map((value, at) => {
      const known = factors[at];
      if (value?.kind !== "number" || known === undefined) return value;
      return {
        ...value,
        value: value.value * (known.by.get(unitOf(value)) ?? 1),
        after: known.unit,
      };
    }),
  }));
}

/** Undefined if all cells have the same unit, or a unit is unknown. */
function factorsOf(rows: readonly Row[], at: number) {
  const numbers = rows.flatMap(({ values }) => (values[at]?.kind === "number" ? [values[at]] : []));
  const units = new Set(numbers.map(unitOf));
  const [first] = numbers;
  if (units.size < 2 || first === undefined) return undefined;
  const kind = KINDS.find((each) => [...units].every((unit) => unit in each));
  const base = kind?.[unitOf(first)];
  if (kind === undefined || base === undefined) return undefined;
  const by = new Map([...units].map((unit) => [unit, (kind[unit] ?? base) / base]));
  return { unit: first.after, by };
}

function unitOf({ after }: CellNumber): string {
  return after.trim().toLowerCase();
}
