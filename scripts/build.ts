// Bundles the program into dist/: fewer files to open means a faster start. Packages with native parts, or
// that only some rooms need, stay outside and are loaded from node_modules.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

/** The program, and each file that runs in a worker thread or a process of its own. */
const ENTRIES = [
  "src/main.ts",
  "src/extract/sandbox/child.ts",
  "src/embed/onnx/worker.ts",
  "src/store/sqlite/thread/worker.ts",
];

/** Needed at every start. */
const BUNDLED = ["@modelcontextprotocol/server", "zod", "ws"];

export async function buildProgram(root: string, outdir = "dist"): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.filter((entry) => existsSync(join(root, entry))),
    outdir,
    outbase: "src",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    external: await externalPackages(root),
    // Bundled CommonJS packages look for Node's modules by require.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  const dist = join(root, outdir);
  const made = new Set(outputFiles.map(({ path }) => relative(dist, path)));
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // Whole or not at all: a program may start from it at this moment.
    const part = `${path}.${process.pid}.part`;
    await writeFile(part, contents);
    await rename(part, path);
  }
  // Written first, swept after: a server that is running finds its pieces as long as it can.
  for (const name of await readdir(dist, { recursive: true })) {
    const stale = name.endsWith(".js") && !name.startsWith("console") && !made.has(name);
    if (stale) await rm(join(dist, name));
  }
}

async function externalPackages(root: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(dependencies)
    .filter((name) => !BUNDLED.includes(name))
    .flatMap((name) => [name, `${name}/*`]);
}

if (import.meta.main) await buildProgram(join(import.meta.dirname, ".."));
