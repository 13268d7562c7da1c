// Builds the console's pages into dist/console.
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { licencesOf } from "./bundle-licences.ts";
import { buildInlineView } from "./inline-view.ts";

const project = fileURLToPath(new URL("../", import.meta.url));
const root = fileURLToPath(new URL("../src/console/pages/", import.meta.url));
const outDir = fileURLToPath(new URL("../dist/console/", import.meta.url));

export async function buildConsole(): Promise<void> {
  const built = await inProduction(() =>
    build({
      root,
      base: "/",
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
    }),
  );
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
  const inputs = modules.filter((id) => id.startsWith(project)).map((id) => relative(project, id));
  await writeFile(join(outDir, "LICENSES.txt"), await licencesOf(project, inputs));
  await buildInlineView();
}

/** Elsewhere, as in a test run, Vite would make pages for development, which name the paths of this machine. */
async function inProduction<Result>(run: () => Promise<Result>): Promise<Result> {
  const { env } = process;
  const before = env["NODE_ENV"];
  env["NODE_ENV"] = "production";
  try {
    return await run();
  } finally {
    if (before === undefined) delete env["NODE_ENV"];
    else env["NODE_ENV"] = before;
  }
}

if (import.meta.main) await buildConsole();
