// Pictures of the real console with its samples, for the documentation: node scripts/screenshots.ts, then
// pngquant --force --ext .png docs/images/*.png, because they are part of the package.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, visit } from "../test/support/browser.ts";
import { connectTo, startHttp } from "../test/support/spawned.ts";

const images = fileURLToPath(new URL("../docs/images/", import.meta.url));

interface Shot {
  readonly name: string;
  readonly route: string;
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
}

const SHOTS: readonly Shot[] = [
  { name: "search", route: "search?q=How+long+is+parental+leave%3F&ask=1" },
  { name: "overview-ja", route: "overview", locale: "ja-JP", colorScheme: "dark" },
];

const browser = await openBrowser();
if (!browser) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "screenshots-"));
const server = await startHttp({
  dataDir: join(folder, "data"),
  root: folder,
  samples: true,
});
const home = server.url.replace("/mcp", "/");
try {
  const { call, close } = await connectTo("http", server.url);
  // For the overview's counts, once the samples are there.
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  for (const query of ["parental leave", "warranty", "delivery to Okinawa"])
    await call("knowledge-search", { query });
  await call("kb_answer", { query: "How long is parental leave?" });
  await close();
  await mkdir(images, { recursive: true });
  for (const { name, route, ...options } of SHOTS) {
    const { page, close: leave } = await visit(browser, `${home}${route}`, options);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: join(images, `${name}.png`) });
    await leave();
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
