// Builds the console's pages into dist/console.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../src/console/pages/", import.meta.url));
const outDir = fileURLToPath(new URL("../dist/console/", import.meta.url));

export async function buildConsole(): Promise<void> {
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      // Inlined assets would be data: URLs, which the page's policy does not allow for scripts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}

if (import.meta.main) await buildConsole();
