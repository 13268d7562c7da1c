// What is kept in this browser for the next visit, in all of its tabs.
import { useLayoutEffect, useState } from "preact/hooks";

interface Kept {
  /** Empty until a person has chosen one. */
  readonly language: string;
  readonly theme: string;
  readonly showsSource: boolean;
  /** Searches, the newest first. */
  readonly recent: readonly string[];
  /** Questions, as their addresses with filters and all. */
  readonly pinned: readonly string[];
}

const FIRST: Kept = { language: "", theme: "auto", showsSource: false, recent: [], pinned: [] };
const toKey = (name: keyof Kept) => `knowledge-server.${name}`;

export function readKept<Name extends keyof Kept>(name: Name): Kept[Name] {
  const first = FIRST[name];
  try {
    const kept = JSON.parse(localStorage.getItem(toKey(name)) ?? "null");
    const isSame = typeof kept === typeof first && Array.isArray(kept) === Array.isArray(first);
    return isSame ? kept : first;
  } catch {
    return first;
  }
}

export function keep<Name extends keyof Kept>(name: Name, value: Kept[Name]): void {
  localStorage.setItem(toKey(name), JSON.stringify(value));
  // The browser sends it to the other tabs only.
  dispatchEvent(new Event("storage"));
}

export function useKept<Name extends keyof Kept>(name: Name): Kept[Name] {
  const [value, setValue] = useState(() => readKept(name));
  useLayoutEffect(() => {
    const follow = () => setValue(readKept(name));
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [name]);
  return value;
}

const MAX_RECENT = 8;

export function rememberQuery(text: string): void {
  const query = text.trim();
  const others = readKept("recent").filter((known) => known !== query);
  if (query !== "") keep("recent", [query, ...others].slice(0, MAX_RECENT));
}

export function togglePinned(address: string): void {
  const pinned = readKept("pinned");
  const others = pinned.filter((known) => known !== address);
  keep("pinned", others.length < pinned.length ? others : [address, ...others]);
}
