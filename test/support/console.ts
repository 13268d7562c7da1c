// One server, one browser and one page that the cases of every area share.
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { SampleFile } from "../fixtures/console-files.ts";
import { type Visit, type VisitOptions, visit } from "./browser.ts";
import { type HttpServer, type ServerPlace, startHttp } from "./spawned.ts";
import { tempFolder } from "./temp-folder.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Reading a file, or loading the model, on a busy machine. */
export const READY = 200_000;

export interface ConsoleUnderTest {
  readonly server: HttpServer;
  readonly folder: string;
  readonly home: string;
  readonly seen: Visit;
  readonly page: Page;
  /** By the navigation bar. */
  go(name: string): Promise<void>;
  /** A second person, with a browser of their own. */
  visitor(route: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** Cases run after the console was opened: they reach it by a call. */
export type OpenedConsole = () => ConsoleUnderTest;

export async function openConsoleUnderTest(
  browser: Browser,
  options: Pick<ServerPlace, "token" | "tools" | "samples"> = {},
): Promise<ConsoleUnderTest> {
  const folder = tempFolder("console");
  const server = await startHttp({ dataDir: join(folder, "data"), root: folder, ...options });
  const home = server.url.replace("/mcp", "/");
  const seen = await visit(browser, home);
  const { page } = seen;
  return {
    server,
    folder,
    home,
    seen,
    page,
    async go(name) {
      await page
        .getByRole("navigation", { name: "knowledge-server" })
        .getByRole("link", { name })
        .click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    },
    visitor: (route, how) => visit(browser, `${home}${route}`, how),
    async close() {
      await seen.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What axe finds wrong, one line each. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids injected scripts, so axe is evaluated instead of added.
  await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

export async function chooseFiles(page: Page, files: readonly SampleFile[]): Promise<void> {
  await page.getByLabel("choose files").setInputFiles([...files]);
}
