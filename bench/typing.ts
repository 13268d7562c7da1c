// Search as it is typed, in a real browser on a knowledge base of 10,000 chunks: from the key to the drawn results.
// node bench/typing.ts [chunks]
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, visit } from "../test/support/browser.ts";
import { connectTo, startHttp } from "../test/support/spawned.ts";
import { tempFolder } from "../test/support/temp-folder.ts";

const wanted = Number(process.argv[2] ?? 10_000);
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

/** Times from each key to the first drawing of what it asked for. */
async function measure(page: Page, question: string): Promise<readonly number[]> {
  await page.getByRole("searchbox").fill("");
  await page.evaluate(`
    globalThis.times = [];
    const box = document.getElementById("search-box");
    const pressed = { at: 0, text: "" };
    box.addEventListener("input", () => { pressed.at = performance.now(); pressed.text = box.value.trim(); });
    globalThis.fetched = globalThis.fetched ?? globalThis.fetch;
    globalThis.fetch = async (...args) => {
      const response = await globalThis.fetched(...args);
      const asked = String(args[1]?.body ?? "");
      if (asked.includes("knowledge-search") && asked.includes(JSON.stringify(pressed.text))) {
        const since = pressed.at;
        const drawn = () => setTimeout(() => globalThis.times.push(performance.now() - since));
        void response.clone().text().then(() => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      }
      return response;
    };
  `);
  await page.getByRole("searchbox").pressSequentially(question, { delay: KEY_MS });
  await page.waitForTimeout(1_000);
  return page.evaluate("globalThis.times");
}

const browser = await openBrowser();
if (!browser) process.exit(1);
const folder = tempFolder("typing");
const server = await startHttp({ dataDir: join(folder, "data"), root: folder });
try {
  const { call, close } = await connectTo("http", server.url);
  const chunksOf = async () => {
    const { knowledge_base: base } = (await call("knowledge-status", {})) as {
      knowledge_base: { total_chunks: number };
    };
    return base.total_chunks;
  };
  for (let file = 0; (await chunksOf()) < wanted; file += 1) {
    await call("knowledge-add-text", { text: toText(file), filename: `${file}.txt`, async: false });
  }
  const { page } = await visit(browser, `${server.url.replace("/mcp", "/")}#/search`);
  await measure(page, QUESTIONS[0] ?? "");
  const times: number[] = [];
  for (const question of QUESTIONS) times.push(...(await measure(page, question)));
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  process.stdout.write(
    `${await chunksOf()} chunks, ${times.length} keys: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`,
  );
  await close();
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
