// Bundles the program and all of its JavaScript packages into dist/: fewer files to open means a faster start, and
// nothing that is not used is shipped. Native parts stay outside (packaging/load-native.js finds them).
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { licencesOf } from "./bundle-licences.ts";

/** The program, and each file that runs in a worker thread or a process of its own. */
const ENTRIES = [
  "src/main.ts",
  "src/extract/sandbox/child.ts",
  "src/embed/onnx/worker.ts",
  "src/rerank/worker.ts",
  "src/store/sqlite/thread/worker.ts",
];

export async function buildProgram(root: string, outdir = "dist"): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.filter((entry) => existsSync(join(root, entry))),
    outdir,
    outbase: "src",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    // Packages that offer both forms are taken as modules: what is not used of them is left out.
    mainFields: ["module", "main"],
    // Its form for Node is CommonJS, which has no names when it is imported at need.
    alias: { yaml: join(root, "node_modules", "yaml", "browser", "index.js") },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    plugins: [nativeParts(root), englishAlone()],
    // Bundled CommonJS packages look for Node's modules by require.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  refuseNameless(metafile);
  const dist = join(root, outdir);
  const made = new Set(outputFiles.map(({ path }) => relative(dist, path)));
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // Whole or not at all: a program may start from it at this moment.
    const part = `${path}.${process.pid}.part`;
    await writeFile(part, contents);
    await rename(part, path);
  }
  await writeFile(join(dist, "LICENSES.txt"), await licencesOf(root, Object.keys(metafile.inputs)));
  // Written first, swept after: a server that is running finds its pieces as long as it can.
  for (const name of await readdir(dist, { recursive: true })) {
    const stale = name.endsWith(".js") && !name.startsWith("console") && !made.has(name);
    if (stale) await rm(join(dist, name));
  }
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

if (import.meta.main) await buildProgram(join(import.meta.dirname, ".."));
