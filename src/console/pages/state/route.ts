// The page and its parameters are the address: /documents/ID?page=3
import { useLayoutEffect, useState } from "preact/hooks";

export interface Route {
  readonly page: string;
  readonly id?: string;
  readonly query: URLSearchParams;
}

const MOVED = "address-changed";

export function parseRoute({ pathname, search }: Pick<Location, "pathname" | "search">): Route {
  const [page = "", named] = pathname.slice(1).split("/", 2);
  const query = new URLSearchParams(search);
  const id = named ? decodeURIComponent(named) : query.get("id");
  return { page, query, ...(id ? { id } : {}) };
}

// What servers and proxies refuse in a path, even encoded. Ids of scopes may contain it.
const NOT_IN_PATH = /[%\\/]|^\.{1,2}$/;

export function toPath(page: string, id = "", query: Record<string, string> = {}): string {
  const isPlain = !NOT_IN_PATH.test(id);
  const search = new URLSearchParams(isPlain ? query : { id, ...query }).toString();
  const path = isPlain && id ? `/${encodeURIComponent(id)}` : "";
  return `/${page}${path}${search ? `?${search}` : ""}`;
}

/** Opens another page of the console without loading the program again. */
export function navigate(address: string, state: unknown = null): void {
  history.pushState(state, "", address);
  dispatchEvent(new Event(MOVED));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location));
  // At once: an address opened before the page listens would be missed.
  useLayoutEffect(() => onMoved(() => setRoute(parseRoute(location))), []);
  useLayoutEffect(() => {
    addEventListener("click", followLink);
    return () => removeEventListener("click", followLink);
  }, []);
  return route;
}

/** Calls back when another page is opened; call the result to stop. */
export function onMoved(listener: () => void): () => void {
  const events = [MOVED, "popstate"];
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
}

function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isOther = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
  if (!link?.href || event.defaultPrevented || isOther || event.altKey) return;
  if (link.target || link.download || link.origin !== location.origin) return;
  event.preventDefault();
  navigate(link.href);
}
