// Pictures of the real console for the documentation: node scripts/screenshots.ts
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, visit } from "../test/support/browser.ts";
import { oneOfEachFormat } from "../test/support/console-files.ts";
import { connectTo, startHttp } from "../test/support/spawned.ts";

const images = fileURLToPath(new URL("../docs/images/", import.meta.url));
const samples = fileURLToPath(new URL("../samples/", import.meta.url));

interface Shot {
  readonly name: string;
  readonly route: string;
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
  readonly ask?: string;
}

const SHOTS: readonly Shot[] = [
  { name: "search", route: "search", ask: "Who may make and change dashboards?" },
  { name: "overview-ja", route: "overview", locale: "ja-JP", colorScheme: "dark" },
];

const browser = await openBrowser();
if (!browser) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "screenshots-"));
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const rules = join(samples, "rules", "company.yaml");
execFileSync(process.execPath, [
  main,
  "scopes",
  "import",
  rules,
  "--data-dir",
  join(folder, "data"),
]);
const server = await startHttp({ dataDir: join(folder, "data"), root: samples });
const home = server.url.replace("/mcp", "/");
try {
  const { call, close } = await connectTo("http", server.url);
  for (const name of await readdir(samples)) {
    if (/\.(txt|md)$/.test(name))
      await call("knowledge-add", { file_path: join(samples, name), async: false });
  }
  // For the overview's counts.
  for (const query of ["Who may change dashboards?", "private endpoints", "price per user"])
    await call("knowledge-search", { query });
  await call("kb_answer", { query: "Who may make and change dashboards?" });
  await close();
  for (const file of await oneOfEachFormat()) {
    await fetch(`${home}api/upload?filename=${file.name}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(file.buffer),
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  await mkdir(images, { recursive: true });
  for (const { name, route, ask, ...options } of SHOTS) {
    const { page, close: leave } = await visit(browser, `${home}#/${route}`, options);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (ask !== undefined) {
      await page.getByRole("searchbox", { name: "Search or ask" }).fill(ask);
      await page.getByRole("button", { name: "Ask" }).click();
    }
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: join(images, `${name}.png`) });
    await leave();
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
