// A web site: pages are found by links and sitemaps, and asked for again with their ETag or date. A page is gone when
// its server says so, or has moved it permanently; one that is merely no longer linked stays.
import { setTimeout as wait } from "node:timers/promises";
import { defined } from "../../../domain/defined.ts";
import { KnowledgeError, toKnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import {
  type Fetched,
  fetchPage,
  openWeb,
  readStart,
  type VisitedHosts,
  type Web,
} from "../../web/fetch-page.ts";
import { crawlDelay, sitemapsIn } from "../../web/robots.ts";
import {
  type Found,
  type FoundItem,
  type Listing,
  MAX_ITEMS,
  type SourceKind,
  type SourceParts,
  tooMany,
} from "../kind.ts";
import { linksIn, readSitemap } from "./links.ts";
import { toUpload } from "./page.ts";
import { openScope, type SiteScope } from "./scope.ts";

export const site: SourceKind = { list: crawl, listsAll: false };

/** Manuals have long chains of pages that link only to the next. */
const MAX_DEPTH = 100;
/** Between two requests, where the site does not ask for more; hosts that are allowed by name need none. */
const PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** After so many failures in a row the site is left alone. */
const MAX_FAILURES = 10;
/** How much of a page is searched for links. */
const LINK_BYTES = 4 * 1024 * 1024;
const SITEMAP_BYTES = 16 * 1024 * 1024;
const MAX_SITEMAPS = 50;

interface Crawl extends Listing, Pick<SourceParts, "accept" | "maxFileBytes"> {
  readonly web: Web;
  readonly hosts: VisitedHosts;
  /** Addresses in the order they were found, and how many links away from the start they are. */
  readonly frontier: Map<string, number>;
  readonly done: Set<string>;
  /** Known once the first page is there. */
  scope?: SiteScope;
  askedAt: number;
}

async function* crawl(listing: Listing, parts: SourceParts): AsyncGenerator<Found> {
  const { source, signal } = listing;
  const { settings } = source;
  const start = new URL(source.address).href;
  const state: Crawl = {
    ...{ ...listing, accept: parts.accept, maxFileBytes: parts.maxFileBytes },
    web: { ...(parts.web ?? openWeb()), allowed: new Set(settings.allowHosts) },
    hosts: { addresses: new Map(), robots: new Map() },
    ...{ frontier: new Map([[start, 0]]), done: new Set(), askedAt: 0 },
  };
  yield* visit(state, start, 0);
  for (const url of await readSitemaps(state)) follow(state, url, 1);
  yield* followKnown(state);
  const most = mostOf(source);
  let failures = 0;
  for (const [url, depth] of state.frontier) {
    signal.throwIfAborted();
    if (state.done.has(url)) continue;
    if (state.done.size >= most) return yield tooMany(most);
    failures = (yield* visit(state, url, depth)) ? 0 : failures + 1;
    if (failures >= MAX_FAILURES)
      return yield { kind: "cut", problem: toMessage("siteFailing", MAX_FAILURES) };
  }
}

function mostOf({ settings }: Listing["source"]): number {
  return settings.maxItems ?? MAX_ITEMS;
}

/** What a person has excluded since the last sync is gone. */
function* followKnown(state: Crawl): Generator<Found> {
  for (const { item, version } of state.known.values()) {
    const url = new URL(item);
    if (state.done.has(item) || state.scope?.isChosen(url)) follow(state, url, depthIn(version));
    else yield { kind: "gone", item };
  }
}

/** One more than are fetched shows that there are more. */
function follow(state: Crawl, url: URL, depth: number): void {
  const { frontier, scope, source } = state;
  if (frontier.size > mostOf(source)) return;
  if (frontier.has(url.href) || depth > (source.settings.depth ?? MAX_DEPTH)) return;
  if (scope?.isWanted(url)) frontier.set(url.href, depth);
}

/** False if the site did not respond as it should. */
async function* visit(state: Crawl, url: string, depth: number): AsyncGenerator<Found, boolean> {
  state.done.add(url);
  try {
    yield* arrive(state, url, { fetched: await ask(state, url), depth });
    return true;
  } catch (thrown) {
    const error = toKnowledgeError(thrown);
    // Without its first page there is no site.
    if (state.signal.aborted || state.scope === undefined) throw error;
    const isKnown = state.known.has(url);
    if (error.code === "FILE_NOT_FOUND") {
      if (isKnown) yield { kind: "gone", item: url };
    } else if (isKnown || !SKIPPED.has(error.code)) {
      yield { kind: "item", item: url, take: () => Promise.reject(error) };
    }
    return error.code !== "FILE_UNAVAILABLE";
  }
}

interface Arrival {
  readonly fetched: Fetched;
  readonly depth: number;
}

async function* arrive(state: Crawl, url: string, { fetched, depth }: Arrival) {
  const { known, done } = state;
  const at = fetched.url;
  state.scope ??= openScope(new URL(at), state.source.settings);
  const isElsewhere = at !== url && (done.has(at) || !state.scope.isInside(new URL(at)));
  if (at !== url && known.has(url))
    yield { kind: fetched.isMoved ? "gone" : "same", item: url } as const;
  done.add(at);
  if (fetched.kind === "page" && isElsewhere) await fetched.bytes.return(undefined);
  else if (fetched.kind === "page") yield* take(state, fetched, depth);
  else if (!isElsewhere) yield { kind: "same", item: at } as const;
}

/** New links that lead to what is not public, or not a document. */
const SKIPPED: ReadonlySet<string> = new Set([
  "ACCESS_DENIED",
  "UNSUPPORTED_FORMAT",
  "INVALID_PARAMETER",
]);

type Page = Extract<Fetched, { kind: "page" }>;

async function* take(state: Crawl, page: Page, depth: number): AsyncGenerator<Found> {
  const { known, scope } = state;
  const at = new URL(page.url);
  const isHtml = /\.(?:x?html?)$/i.test(page.filename);
  const { head, rest } = isHtml ? await readHead(page.bytes) : { head: "", rest: page.bytes };
  const { links, canonical } = linksIn(head, at);
  for (const link of links) follow(state, link, depth + 1);
  if (canonical && isOtherPage(canonical, at) && scope?.isInside(canonical)) {
    follow(state, canonical, depth);
    await page.bytes.return(undefined);
    if (known.has(page.url)) yield { kind: "gone", item: page.url };
    return;
  }
  yield { kind: "item", ...(await toItem(state, { ...page, bytes: rest }, depth)) };
}

/** A canonical address that differs by more than its query names another page: many sites get that wrong. */
function isOtherPage(canonical: URL, at: URL): boolean {
  return (
    canonical.href !== at.href &&
    canonical.origin === at.origin &&
    canonical.pathname === at.pathname
  );
}

async function toItem(
  { accept, signal, known }: Crawl,
  page: Omit<Page, "bytes"> & { readonly bytes: AsyncIterable<Uint8Array> },
  depth: number,
): Promise<FoundItem> {
  const { url, validators } = page;
  const hasValidators = Object.keys(validators).length > 0;
  const version = hasValidators ? JSON.stringify({ ...validators, depth }) : undefined;
  const before = known.get(url);
  const isSame = version !== undefined && version === before?.version && !before.isMissing;
  const described = { item: url, ...defined({ version }), metadata: versionIn(url) };
  if (isSame)
    return { ...described, take: () => Promise.reject(new KnowledgeError("INTERNAL", "")) };
  // Kept at once, because the connection would not wait for the readers.
  const kept = accept(toUpload(page), signal);
  await kept.catch(() => {});
  return { ...described, take: () => kept };
}

/** The version of the documentation, where the address has one: /docs/3.2/install. */
function versionIn(url: string): { readonly version?: string } {
  const version = /\/(v?\d{1,4}(?:\.\d{1,4}){1,3})\//.exec(url)?.[1];
  return defined({ version });
}

async function ask(state: Crawl, url: string): Promise<Fetched> {
  const { web, hosts, known, signal, source, maxFileBytes: maxBytes } = state;
  await pause(state, new URL(url).origin);
  const validatorsOf = async (address: string) => {
    const { version, isMissing } = known.get(address) ?? {};
    // After a run that was cut short, the links of pages that have not changed may not have been followed.
    if (version === undefined || isMissing || !source.wasWhole) return undefined;
    return JSON.parse(version);
  };
  return fetchPage(url, { web, hosts, signal, maxBytes, known: validatorsOf });
}

async function pause(state: Crawl, origin: string): Promise<void> {
  const robots = (await state.hosts.robots.get(origin)?.catch(() => "")) ?? "";
  const own = state.web.allowed?.has(new URL(origin).host) ? 0 : PAUSE_MS;
  const between = Math.min(MAX_PAUSE_MS, Math.max(own, crawlDelay(robots) * 1000));
  const left = state.askedAt + between - performance.now();
  if (state.askedAt > 0 && left > 0) await wait(left, undefined, { signal: state.signal });
  state.askedAt = performance.now();
}

function depthIn(version: string | undefined): number {
  return version === undefined ? 0 : (JSON.parse(version).depth ?? 0);
}

/** The first bytes as text, and all of them unchanged. */
async function readHead(bytes: AsyncGenerator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size < LINK_BYTES) {
    const { done, value } = await bytes.next();
    if (done) break;
    parts.push(value);
    size += value.byteLength;
  }
  async function* rest() {
    yield* parts;
    yield* bytes;
  }
  return { head: Buffer.concat(parts).toString("utf8"), rest: rest() };
}

/** Those that robots.txt names, or the usual one; a site without any has links. */
async function readSitemaps(state: Crawl): Promise<readonly URL[]> {
  const { origin } = new URL(state.source.address);
  const robots = (await state.hosts.robots.get(origin)?.catch(() => "")) ?? "";
  const named = sitemapsIn(robots);
  const waiting = new Set(named.length > 0 ? named : [`${origin}/sitemap.xml`]);
  const pages: URL[] = [];
  const most = mostOf(state.source);
  let read = 0;
  for (const address of waiting) {
    if (read >= MAX_SITEMAPS || pages.length >= most) break;
    read += 1;
    const text = await readText(state, address).catch(() => "");
    state.signal.throwIfAborted();
    const found = readSitemap(text, new URL(origin));
    for (const { href } of found.sitemaps.slice(0, MAX_SITEMAPS)) waiting.add(href);
    for (const page of found.pages) pages.push(page);
  }
  return pages;
}

async function readText(state: Crawl, address: string): Promise<string> {
  const { web, hosts, signal } = state;
  await pause(state, new URL(address).origin);
  const none = async () => undefined;
  const asking = { web, hosts, signal, maxBytes: SITEMAP_BYTES, known: none };
  const fetched = await fetchPage(address, asking);
  return fetched.kind === "page" ? readStart(fetched.bytes, SITEMAP_BYTES) : "";
}
