// Finds the Chromium that the browser tests drive, or installs Debian's.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { installPackages } from "./apt.ts";

const PLACES = [
  process.env["KNOWLEDGE_TEST_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function findChromium(): string | undefined {
  return PLACES.find((path) => path !== undefined && path !== "" && existsSync(path));
}

/** Names a file that is there while `npm test` installs a browser beside the tests that need none. */
export const PENDING = "KNOWLEDGE_TEST_CHROMIUM_PENDING";
const LOOK_MS = 250;

export async function awaitChromium(): Promise<string | undefined> {
  const pending = process.env[PENDING] ?? "";
  while (existsSync(pending)) await sleep(LOOK_MS);
  return findChromium();
}

/** Undefined when there is none and none can be installed: set KNOWLEDGE_TEST_CHROMIUM to a browser's path. */
export function ensureChromium(): string | undefined {
  const found = findChromium();
  if (found !== undefined) return found;
  // The CJK fonts make the Japanese pages readable on screenshots.
  return installPackages("chromium", "fonts-noto-cjk") ? findChromium() : undefined;
}

if (import.meta.main) process.stdout.write(`${ensureChromium() ?? "no Chromium"}\n`);
