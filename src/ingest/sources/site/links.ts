// The addresses that an HTML page or a sitemap names. Untrusted and unparsed: only tags with addresses are looked at,
// in linear time.

export interface PageLinks {
  readonly links: readonly URL[];
  readonly canonical?: URL;
}

const TAGS = /<(a|area|link|base)\s([^<>]{1,2000})>/gi;
const ATTRIBUTES = /(?<![a-z-])(href|rel)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const MAX_LINKS = 5_000;
/** Of one page, whether their addresses are links or not; more are a trap. */
const MAX_TAGS = 20_000;
const MAX_URL = 2_048;

export function linksIn(html: string, page: URL): PageLinks {
  const links = new Map<string, URL>();
  let base = page;
  let canonical: URL | undefined;
  for (const [, tag = "", inside = ""] of html.matchAll(TAGS).take(MAX_TAGS)) {
    const { href, rel = "" } = attributesOf(inside);
    const to = href === undefined ? undefined : toUrl(href, base);
    if (to === undefined) continue;
    const name = tag.toLowerCase();
    if (name === "base") base = to;
    else if (name === "link") canonical ??= /\bcanonical\b/i.test(rel) ? to : undefined;
    else if (links.size < MAX_LINKS) links.set(to.href, to);
  }
  return { links: [...links.values()], ...(canonical && { canonical }) };
}

function attributesOf(inside: string): { readonly href?: string; readonly rel?: string } {
  const found = [...inside.matchAll(ATTRIBUTES)].map(([, name = "", double, single, bare]) => {
    return [name.toLowerCase(), double ?? single ?? bare ?? ""];
  });
  return Object.fromEntries(found.toReversed());
}

/** Without the fragment; undefined if it is not a web address. */
function toUrl(given: string, base: URL): URL | undefined {
  if (given.length > MAX_URL) return undefined;
  const url = URL.parse(decoded(given.trim()), base.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > MAX_URL)
    return undefined;
  url.hash = "";
  // Also drops a question mark without a query.
  if (url.search === "") url.search = "";
  return url;
}

function decoded(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, "&").replace(/&(?:#47|#x2f);/gi, "/");
}

/** As many as sitemaps.org allows. */
const MAX_LOCATIONS = 50_000;

export interface Sitemap {
  readonly pages: readonly URL[];
  readonly sitemaps: readonly URL[];
}

export function readSitemap(xml: string, at: URL): Sitemap {
  const found = xml.matchAll(/<loc>([^<]{1,2100})<\/loc>/gi).take(MAX_LOCATIONS);
  const urls = [...found].flatMap(([, loc = ""]) => toUrl(loc, at) ?? []);
  return /<sitemapindex[\s>]/i.test(xml.slice(0, 1_000))
    ? { pages: [], sitemaps: urls }
    : { pages: urls, sitemaps: [] };
}
