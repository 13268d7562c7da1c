// Search as it is typed, in a real browser on a knowledge base of 10,000 chunks: from the key to the drawn results, and
// what the server and the page spend on it. The processor times hold on a busy machine too, the waits do not.
// node bench/typing.ts [chunks] [folder that keeps the knowledge base]
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, visit } from "../test/support/browser.ts";
import { type Connected, connectTo, startHttp } from "../test/support/spawned.ts";
import { tempFolder } from "../test/support/temp-folder.ts";

const wanted = Number(process.argv[2] ?? 10_000);
const keptIn = process.argv[3];
const WORDS =
  "harbour pilot lantern turbine blade orchard quince barometer ferry bridge rivet quorum budget audit backup restore".split(
    " ",
  );
const QUESTIONS = ["how is a turbine blade inspected", "when does the ferry leave the harbour"];
const PARAGRAPHS = 500;
const KEY_MS = 120;

/** Paragraphs of known words in ever another order, each about a chunk long. */
function toText(file: number): string {
  const word = (at: number) => WORDS[(at * 7 + file * 13 + (at >> 3)) % WORDS.length] ?? "";
  const paragraph = (at: number) =>
    `Section ${file}-${at}. ${Array.from({ length: 70 }, (_, each) => word(at * 71 + each)).join(" ")}.`;
  return Array.from({ length: PARAGRAPHS }, (_, at) => paragraph(at)).join("\n\n");
}

interface Times {
  /** From the key until its results are drawn; one per search that was not given up. */
  readonly drawn: readonly number[];
  /** From the request until its response is there. */
  readonly fetched: readonly number[];
}

const WATCH = `
  globalThis.times = { drawn: [], fetched: [] };
  const box = document.getElementById("search-box");
  const pressed = { at: 0, text: "" };
  box.addEventListener("input", () => { pressed.at = performance.now(); pressed.text = box.value.trim(); });
  globalThis.fetched = globalThis.fetched ?? globalThis.fetch;
  globalThis.fetch = async (...args) => {
    const began = performance.now();
    const response = await globalThis.fetched(...args);
    const asked = String(args[1]?.body ?? "");
    if (asked.includes("knowledge-search") && asked.includes(JSON.stringify(pressed.text))) {
      const since = pressed.at;
      const drawn = () => setTimeout(() => globalThis.times.drawn.push(performance.now() - since));
      void response.clone().text().then(() => {
        globalThis.times.fetched.push(performance.now() - began);
        requestAnimationFrame(() => requestAnimationFrame(drawn));
      });
    }
    return response;
  };
`;

async function measure(page: Page, question: string): Promise<Times> {
  await page.getByRole("searchbox").fill("");
  await page.evaluate(WATCH);
  await page.getByRole("searchbox").pressSequentially(question, { delay: KEY_MS });
  await page.waitForTimeout(1_000);
  return page.evaluate("globalThis.times");
}

/** Of all threads of the server. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const TICKS_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICKS_MS;
}

/** The page's main thread, scripts and drawing, in its own processor time. */
async function openPageClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
}

async function fill({ call }: Connected): Promise<number> {
  const status = async () =>
    (await call("knowledge-status", {})) as {
      readonly knowledge_base: { readonly total_chunks: number };
      readonly refining?: object;
    };
  const count = async () => (await status()).knowledge_base.total_chunks;
  for (let file = 0; (await count()) < wanted; file += 1) {
    await call("knowledge-add-text", { text: toText(file), filename: `${file}.txt`, async: false });
  }
  while ((await status()).refining !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  return count();
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

const browser = await openBrowser();
if (!browser) process.exit(1);
const folder = keptIn ?? tempFolder("typing");
const server = await startHttp({ dataDir: join(folder, "data"), root: folder });
try {
  const connected = await connectTo("http", server.url);
  const chunks = await fill(connected);
  await connected.close();
  const sent = { searches: 0 };
  const { page } = await visit(browser, `${server.url.replace("/mcp", "/")}search`);
  page.on("request", (request) => {
    if (request.postData()?.includes("knowledge-search")) sent.searches += 1;
  });
  await measure(page, QUESTIONS[0] ?? "");
  sent.searches = 0;
  const pageMs = await openPageClock(page);
  const before = { server: cpuMs(server.child.pid ?? 0), page: await pageMs() };
  const all: Times[] = [];
  for (const question of QUESTIONS) all.push(await measure(page, question));
  const keys = QUESTIONS.join("").length;
  const perKey = (ms: number) => (ms / keys).toFixed(1);
  const drawn = all.flatMap((times) => times.drawn);
  process.stdout.write(
    [
      `${chunks} chunks, ${keys} keys, ${drawn.length} drawn`,
      `key to drawn: ${summary(drawn)}`,
      `of it, request to response: ${summary(all.flatMap((times) => times.fetched))}`,
      `${sent.searches} searches were sent`,
      `processor time a key: server ${perKey(cpuMs(server.child.pid ?? 0) - before.server)} ms, page ${perKey((await pageMs()) - before.page)} ms`,
      "",
    ].join("\n"),
  );
} finally {
  await browser.close();
  await server.stop();
  if (keptIn === undefined) await rm(folder, { recursive: true, force: true });
}
