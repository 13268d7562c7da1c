// A site of real pages that changes, moves, breaks and sets traps between syncs; after each one the knowledge base must
// have exactly what the site has: node stress/sources/crawl.ts FOLDER [ROUNDS] [PAGES]. The folder has HTML pages and an
// index.html that leads to them, such as a manual.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPlainIngest } from "../../test/support/plain-ingest.ts";
import { openStoreHere } from "../../test/support/temp-store.ts";
import { openRandom } from "../fuzz/random.ts";

const [from = "", rounds = "6", most = "1000"] = process.argv.slice(2);
const random = openRandom(Number(process.env["FUZZ_SEED"] ?? 1));
if (!existsSync(join(from, "index.html"))) throw new Error("Specify a folder with an index.html.");

type Fault = "slow" | "error" | "cut";
interface Page {
  body: string;
  movedTo?: string;
  isGone?: boolean;
  fault?: Fault | undefined;
}

const TRAPS = ["cal?day=0", "deep/x/", "loop/0", "none"].map((to) => `<a href="/m/${to}">x</a>`);
const pages = new Map<string, Page>();
for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".html") || (pages.size >= Number(most) && name !== "index.html")) continue;
  const body = readFileSync(join(from, name), "utf8");
  // The plain reader keeps markup, and a canonical address would name the real site.
  pages.set(`/m/${name}`, { body: `${body.replace(/<link[^>]*>/gi, "")}\n<!-- ${name} -->` });
}
const index = pages.get("/m/index.html") ?? { body: "" };
index.body += TRAPS.join("");

const asked = { full: 0, same: 0, other: 0 };

function answer(path: string, condition: string | undefined, response: ServerResponse): unknown {
  const [, number = ""] = /^\/m\/(?:loop\/|cal\?day=)(\d+)$/.exec(path) ?? [];
  if (path.startsWith("/m/loop/"))
    return response.writeHead(302, { location: `/m/loop/${1 - Number(number)}` }).end();
  if (path.startsWith("/m/cal")) return send(response, day(Number(number)), condition);
  if (path.startsWith("/m/deep/")) return send(response, `<a href="x/">${path}</a>`, condition);
  const found = pages.get(path);
  if (!found || found.isGone) return response.writeHead(random.chance(0.5) ? 404 : 410).end();
  const { movedTo, fault, body } = found;
  if (movedTo) return response.writeHead(301, { location: movedTo }).end();
  if (fault === "error") return response.writeHead(503).end();
  if (fault === "slow") return setTimeout(() => send(response, body, condition), 50);
  if (fault !== "cut") return send(response, body, condition);
  response.writeHead(200, { "content-type": "text/html", "content-length": body.length + 10 });
  return response.write(body.slice(0, body.length / 2), () => response.destroy());
}

const day = (number: number) => `<a href="/m/cal?day=${number + 1}">Day ${number}</a>`;

function send(response: ServerResponse, body: string, condition: string | undefined): void {
  const etag = `"${hashOf(body).slice(0, 16)}"`;
  const isSame = condition === etag;
  asked[isSame ? "same" : "full"] += 1;
  response.writeHead(isSame ? 304 : 200, { etag, "content-type": "text/html" });
  response.end(isSame ? "" : body);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (/^\/(robots|sitemap)/.test(path)) asked.other += 1;
  answer(path, request.headers["if-none-match"], response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const dataDir = mkdtempSync(join(tmpdir(), "crawl-"));
mkdirSync(join(dataDir, "files"));
const store = openStoreHere(dataDir);
const ingest = openPlainIngest({ store, dataDir, root: join(dataDir, "files") });
const { signal } = new AbortController();
const address = `http://${host}/m/index.html`;
const settings = { allowHosts: [host] };
const id = await ingest.sources.put({ kind: "site", address, settings }, "anywhere");

async function sync() {
  Object.assign(asked, { full: 0, same: 0, other: 0 });
  const { failure } = await ingest.finish((await ingest.sources.sync(id, signal)).id, { signal });
  if (failure) throw new Error(failure.message);
  const [source] = await ingest.sources.list();
  return source?.lastRun;
}

async function documents() {
  const all = { limit: 100_000, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
  const found = (await store.documents.list(all)).documents;
  return new Map(
    found.map(({ id: document, sourcePath = "", contentHash }) => [
      sourcePath.slice(`http://${host}`.length),
      { document, contentHash },
    ]),
  );
}

/** The pages that the site leads to. */
let reached = new Set<string>();
const problems: string[] = [];
const blame = (what: string) => problems.push(what);

type Held = Awaited<ReturnType<typeof documents>>;

async function judge(before: Held): Promise<Held> {
  const now = await documents();
  for (const path of reached) {
    const problem = faultOf(path, now, before);
    if (problem) blame(`${path} ${problem}`);
  }
  const traps = [...now.keys()].filter((path) => /^\/m\/(cal|deep|loop)/.test(path));
  if (traps.length > 25) blame(`${traps.length} pages of traps`);
  return now;
}

function faultOf(path: string, now: Held, before: Held): string | undefined {
  const { movedTo, isGone, fault, body } = pages.get(path) ?? { body: "" };
  if ((isGone || movedTo) && now.has(path)) return "is still there";
  if (isGone) return undefined;
  const held = now.get(movedTo ?? path);
  const isCertain = movedTo === undefined && (fault === undefined || fault === "slow");
  if (isCertain) return held?.contentHash === hashOf(body) ? undefined : "is not what the site has";
  const old = before.get(path);
  return old && held?.document !== old.document ? "lost its document" : undefined;
}

function change(round: number): void {
  for (const path of [...reached]) {
    const page = pages.get(path);
    if (!page || page === index || page.isGone || page.movedTo) continue;
    page.fault = undefined;
    const roll = random.next();
    if (roll < 0.1) page.body += `<p>Round ${round}.</p>`;
    else if (roll < 0.13) page.isGone = true;
    else if (roll < 0.16) {
      page.movedTo = path.replace(/\.html$/, `-${round}.html`);
      pages.set(page.movedTo, { body: page.body });
      reached.add(page.movedTo);
    } else if (roll < 0.22) page.fault = random.pick(["slow", "error", "cut"]);
  }
}

process.stdout.write(`${JSON.stringify({ first: await sync(), asked })}\n`);
let before = await documents();
reached = new Set([...before.keys()].filter((path) => pages.has(path)));
await judge(before);
for (let round = 1; round <= Number(rounds); round += 1) {
  change(round);
  const run = await sync();
  const now = await judge(before);
  for (const page of pages.values()) page.fault = undefined;
  await sync();
  const calm = await documents();
  const totals = JSON.stringify(await store.documents.totals());
  await sync();
  const still = await documents();
  if (JSON.stringify([...calm]) !== JSON.stringify([...still])) blame("an idle sync wrote");
  if (totals !== JSON.stringify(await store.documents.totals())) blame("an idle sync wrote");
  const idle = { ...asked };
  if (idle.full > 0) blame(`an idle sync fetched ${idle.full} pages`);
  const { added, unchanged, removed, failed } = run ?? {};
  const report = { round, added, unchanged, removed, failed, documents: now.size, idle };
  process.stdout.write(`${JSON.stringify({ ...report, problems: problems.splice(0, 5) })}\n`);
  before = calm;
}
await ingest.close();
await store.close();
server.close();
server.closeAllConnections();
