// Debian's Chromium on the console: pages that report every script error and every request that leaves.
import { type Browser, chromium, type Page } from "playwright-core";
import { awaitChromium } from "../../scripts/chromium.ts";

/** A page on a busy machine. It ends what hangs, before the test's own limit does. */
export const PATIENCE_MS = 120_000;

export interface Visit {
  readonly page: Page;
  /** Script errors, console errors, and requests to any other host. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

/** Undefined on a machine without a browser; in CI that is a failure. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = await awaitChromium();
  if (executablePath === undefined) {
    if (process.env["CI"]) throw new Error("No Chromium: run node scripts/chromium.ts as root.");
    process.stderr.write("SKIPPED: no Chromium here; node scripts/chromium.ts installs one.\n");
    return undefined;
  }
  return chromium.launch({
    executablePath,
    timeout: PATIENCE_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface VisitOptions {
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
}

export async function visit(
  browser: Browser,
  address: string,
  { locale = "en", colorScheme = "light" }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    locale,
    colorScheme,
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    // What is measured or checked is not on its way.
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  const { host } = new URL(address);
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.host !== host) troubles.push(`request: ${url.host}`);
  });
  await page.goto(address);
  return { page, troubles, close: () => context.close() };
}
