// Numbers with their noun.

/** "1 file", "2 files", "24,003 passages". */
export function count(amount: number, one: string, many = `${one}s`): string {
  // The tables of a language take the runtime some milliseconds to load; small numbers need none.
  const number = amount < 1_000 ? String(amount) : amount.toLocaleString("en");
  return `${number} ${amount === 1 ? one : many}`;
}
