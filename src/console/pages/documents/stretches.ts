// Cuts a section of text where passages or the marked span begin and end.

export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Index of the passage it lies in, if any; the first where passages overlap. */
  readonly passage?: number;
  readonly marked: boolean;
  readonly firstMarked: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export function cut(
  start: number,
  end: number,
  passages: readonly Span[],
  marked?: readonly [number, number],
): readonly Stretch[] {
  const within = passages
    .map((passage, index) => ({ ...passage, index }))
    .filter((passage) => passage.start < end && passage.end > start);
  const edges = new Set([start, end]);
  for (const passage of within) edges.add(passage.start).add(passage.end);
  if (marked) edges.add(marked[0]).add(marked[1]);
  const points = [...edges].filter((edge) => edge >= start && edge <= end).sort((a, b) => a - b);
  let seen = false;
  return points.slice(0, -1).map((from, index) => {
    const to = points[index + 1] ?? end;
    const passage = within.find((one) => one.start <= from && one.end >= to);
    const isMarked = marked !== undefined && marked[0] <= from && marked[1] >= to;
    // Only where the mark begins: a mark over two pages scrolls to its first.
    const firstMarked = isMarked && !seen && marked[0] === from;
    seen ||= isMarked;
    return {
      start: from,
      end: to,
      marked: isMarked,
      firstMarked,
      ...(passage ? { passage: passage.index } : {}),
    };
  });
}
