// Recent searches and pinned questions, kept only in this browser.

const KEPT = 8;

/** Pinned questions are kept as their addresses, with filters and all. */
const KEYS = { recent: "knowledge-server.recent", pinned: "knowledge-server.pinned" } as const;
type Kept = keyof typeof KEYS;

export function rememberQuery(text: string): void {
  const query = text.trim();
  if (query !== "") write("recent", [query, ...without("recent", query)].slice(0, KEPT));
}

/** Returns whether it is pinned now. */
export function togglePinned(address: string): boolean {
  const others = without("pinned", address);
  const isNew = others.length === readKept("pinned").length;
  write("pinned", isNew ? [address, ...others] : others);
  return isNew;
}

export function readKept(kept: Kept): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEYS[kept]) ?? "[]");
    return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function clearRecent(): void {
  localStorage.removeItem(KEYS.recent);
}

function without(kept: Kept, value: string): readonly string[] {
  return readKept(kept).filter((known) => known !== value);
}

function write(kept: Kept, values: readonly string[]): void {
  localStorage.setItem(KEYS[kept], JSON.stringify(values));
}
