// Bundles the program and all of its JavaScript packages into dist/: fewer files to open means a faster start, and
// nothing that is not used is shipped. Native parts stay outside (packaging/load-native.js finds them).
import { existsSync } from "node:fs";
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { toInputSchema, toOutputSchema } from "../src/mcp/catalogue.ts";
import type { Contract } from "../src/tools/contract.ts";
import type { Translated } from "../src/tools/translated-schemas.ts";
import { licencesOf } from "./bundle-licences.ts";
import { ENTRIES } from "./entries.ts";
import { mergeChunks } from "./merge-chunks.ts";

/** What each kind of start loads together: a search on the command line, a stdio server, a thread, a reader. */
const STARTS = [
  ["src/main.ts"],
  ["src/app.ts", "src/store/data-folder.ts"],
  ["src/serve.ts", "src/cli/serve.ts", "src/transports/stdio.ts", "src/scopes/scopes.ts"],
  [
    "src/cli/documents/search.ts",
    "src/search/share/shared-search.ts",
    "src/search/search.ts",
    "src/embed/embed.ts",
    "src/store/sqlite/sqlite.ts",
    "src/store/sqlite/thread/connection.ts",
  ],
  ["src/store/sqlite/thread/worker.ts"],
  ["src/extract/sandbox/child.ts", "src/embed/onnx/worker.ts"],
];

const SETTINGS = {
  format: "esm",
  platform: "node",
  target: "node22.13",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
} satisfies BuildOptions;

// Bundled CommonJS packages look for Node's modules by require.
const BANNER =
  'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);';

export async function buildProgram(root: string, outdir = "dist"): Promise<void> {
  const own = ENTRIES.filter((entry) => existsSync(join(root, entry)));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(own.map((entry) => [toModule(entry), entry])),
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    ...SETTINGS,
    // Packages that offer both forms are taken as modules: what is not used of them is left out.
    mainFields: ["module", "main"],
    // Its form for Node is CommonJS, which has no names when it is imported at need.
    alias: { yaml: join(root, "node_modules", "yaml", "browser", "index.js") },
    plugins: [nativeParts(root), englishAlone(), oneValidator(), translatedSchemas(root)],
    banner: { js: BANNER },
  });
  refuseNameless(metafile);
  const dist = join(root, outdir);
  const toName = (path: string) => relative(dist, resolve(root, path)).replaceAll("\\", "/");
  const made = await mergeChunks(
    new Map(outputFiles.map(({ path, text }) => [toName(path), text])),
    namedFrom(metafile, toName),
    { starts: STARTS, banner: BANNER, settings: SETTINGS },
  );
  await writeAll(dist, made);
  await writeFile(join(dist, "LICENSES.txt"), await licencesOf(root, Object.keys(metafile.inputs)));
  // Written first, swept after: a server that is running finds its pieces as long as it can.
  for (const name of await readdir(dist, { recursive: true })) {
    const isPage = /^console[\\/]/.test(name);
    const stale = name.endsWith(".js") && !isPage && !made.has(name);
    if (stale) await rm(join(dist, name));
  }
}

/** `src/x/y.ts` → `x/y`: where the build puts it, without `.js`. */
function toModule(source: string): string {
  return source.replace(/^src\/|\.ts$/g, "");
}

async function writeAll(dist: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const path = join(dist, name);
    await mkdir(dirname(path), { recursive: true });
    // Whole or not at all: a program may start from it at this moment.
    const part = `${path}.${process.pid}.part`;
    await writeFile(part, text);
    await rename(part, path);
  }
}

/** The list of what was made, by paths in the folder of the program. */
function namedFrom({ outputs }: Metafile, toName: (path: string) => string): Metafile["outputs"] {
  return Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => {
      const imports = output.imports.map((each) =>
        each.external ? each : { ...each, path: toName(each.path) },
      );
      return [toName(path), { ...output, imports }];
    }),
  );
}

// Taken by its default export (src/embed/onnx/onnx-model.ts).
const BY_DEFAULT = /node_modules\/onnxruntime-node\//;

/** A CommonJS package that is imported at need has a default export alone: its names would be missing at run time. */
function refuseNameless({ inputs }: Metafile): void {
  const nameless = Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === "dynamic-import" && inputs[path]?.format === "cjs")
      .filter(({ path }) => file.startsWith("src/") && !BY_DEFAULT.test(path))
      .map(({ path }) => `${file} imports ${path}`),
  );
  if (nameless.length > 0) throw new Error(`CommonJS, imported at need: ${nameless.join("; ")}`);
}

/** Where a package loads its native part, and what is put there. */
const LOADERS: readonly { readonly file: RegExp; readonly old: string; readonly loads: string }[] =
  [
    {
      file: /onnxruntime-node[\\/]dist[\\/]binding\.js$/,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the package's own line
      old: "require(`../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`)",
      loads: "onnxruntime_binding.node",
    },
    {
      file: /@llamaindex[\\/]liteparse[\\/]dist[\\/]lib\.js$/,
      old: "var native = loadNative();",
      loads: "liteparse.node",
    },
  ];

function nativeParts(root: string): Plugin {
  const loader = JSON.stringify(join(root, "packaging", "load-native.js"));
  return {
    name: "native-parts",
    setup(bundler) {
      for (const { file, old, loads } of LOADERS) {
        bundler.onLoad({ filter: file }, async ({ path }) => {
          const text = await readFile(path, "utf8");
          if (!text.includes(old))
            throw new Error(`${path} no longer loads its native part by: ${old}`);
          const name = JSON.stringify(loads);
          const contents = old.startsWith("var")
            ? `import{loadNative as loadShipped}from${loader};${text.replace(old, () => `var native = loadShipped(${name});`)}`
            : text.replace(old, () => `require(${loader}).loadNative(${name})`);
          return { contents, loader: "js" };
        });
      }
    },
  };
}

/** The validator's messages in fifty languages are half of its code, which every start would read. */
function englishAlone(): Plugin {
  return {
    name: "english-alone",
    setup(bundler) {
      bundler.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: 'export { default as en } from "./en.js";',
        loader: "js",
      }));
    },
  };
}

/** The SDK's default validator of JSON Schema is half of its code; every server is given the other (src/mcp/mcp.ts). */
function oneValidator(): Plugin {
  const shims = `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
    export { default as process } from "node:process";`;
  return {
    name: "one-validator",
    setup(bundler) {
      bundler.onLoad({ filter: /server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
        contents: shims,
        loader: "js",
      }));
    },
  };
}

/** Translated here rather than at every start. */
function translatedSchemas(root: string): Plugin {
  return {
    name: "translated-schemas",
    setup(bundler) {
      bundler.onLoad({ filter: /src[\\/]tools[\\/]translated-schemas\.ts$/ }, async () => ({
        contents: `export const TRANSLATED = ${JSON.stringify(await translate(root))};`,
        loader: "js",
      }));
    },
  };
}

async function translate(root: string): Promise<Readonly<Record<string, Translated>>> {
  const schemas: Record<string, Translated> = {};
  for await (const file of glob("src/tools/*/contract.ts", { cwd: root })) {
    for (const [constant, exported] of Object.entries(
      await import(pathToFileURL(join(root, file)).href),
    )) {
      const contract = exported as Partial<Contract> | undefined;
      if (!contract?.name || !contract.success || !contract.failure) continue;
      // KNOWLEDGE_ADD is what the tool offers; ADD_NOW is the same tool as the command line calls it.
      if (constant !== contract.name.toUpperCase().replaceAll("-", "_")) continue;
      const { name, input } = contract as Contract;
      schemas[name] = { input: toInputSchema(input), output: toOutputSchema(contract as Contract) };
    }
  }
  return schemas;
}

if (import.meta.main) await buildProgram(join(import.meta.dirname, ".."));
