// Recent searches, kept only in this browser.

const KEY = "knowledge-server.recent";
const KEPT = 8;

export function rememberQuery(text: string): void {
  const query = text.trim();
  if (query === "") return;
  const others = readRecent().filter((known) => known !== query);
  localStorage.setItem(KEY, JSON.stringify([query, ...others].slice(0, KEPT)));
}

export function readRecent(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function clearRecent(): void {
  localStorage.removeItem(KEY);
}
