// Which addresses of a site are pages to fetch, and which are traps: calendars, loops of folders, endless queries.
import type { SourceSettings } from "../../../domain/source.ts";
import { openPatterns } from "../patterns.ts";

/** Never documents, or not worth fetching without being asked for. */
const OTHER_FILES =
  /\.(?:css|m?js|map|png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|avi|mov|wav|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|iso|deb|rpm|jar|apk|wasm|rss|atom|xml)$/i;
const MAX_FOLDERS = 20;
/** A name that comes again and again in one path is a loop. */
const MAX_REPEATS = 3;
const MAX_QUERIES = 20;

export interface SiteScope {
  /** Asked once for each address: different queries of one page are counted. */
  isWanted(url: URL): boolean;
  isInside(url: URL): boolean;
  /** False for what a person left out by a pattern. */
  isChosen(url: URL): boolean;
}

/** `start`: the first page's address, after redirects. */
export function openScope(start: URL, settings: SourceSettings): SiteScope {
  const prefix = settings.prefix ?? new URL(".", start).href;
  const isPath = openPatterns(settings);
  const isChosen = ({ pathname }: URL) => isPath(pathname.slice(1));
  const queries = new Map<string, number>();
  const isInside = (url: URL) => url.href.startsWith(prefix) || url.href === start.href;
  return {
    isInside,
    isChosen,
    isWanted(url) {
      const { pathname } = url;
      if (!isInside(url) || isLoop(pathname) || OTHER_FILES.test(pathname)) return false;
      if (!isChosen(url)) return false;
      if (url.search === "") return true;
      const used = (queries.get(pathname) ?? 0) + 1;
      queries.set(pathname, used);
      return used <= MAX_QUERIES;
    },
  };
}

function isLoop(pathname: string): boolean {
  const parts = pathname.split("/").filter(Boolean);
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return parts.length > MAX_FOLDERS || Math.max(0, ...counts.values()) > MAX_REPEATS;
}
