// The page and its parameters live in the hash: #/documents/ID?page=3
import { useLayoutEffect, useState } from "preact/hooks";

export interface Route {
  readonly page: string;
  readonly id?: string;
  readonly query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", id] = path.split("/", 2);
  return {
    page,
    query: new URLSearchParams(query),
    ...(id ? { id: decodeURIComponent(id) } : {}),
  };
}

export function toHash(page: string, id?: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${search ? `?${search}` : ""}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  // At once: an address opened before the page listens would be missed.
  useLayoutEffect(() => {
    // A page may have changed the address since, so the event's address is used.
    const follow = ({ newURL }: HashChangeEvent) => setRoute(parseRoute(new URL(newURL).hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
