// Joins the many small files that splitting leaves. Code that the same few starts need is one file afterwards: opening
// a module takes the runtime half a millisecond, whatever is in it, and a search needed seventy.
//
//   main ─▶ chunk-A ─▶ chunk-B      A, B: both reached from main and from app  ─▶  one file
//   app  ─▶ chunk-A, chunk-C        C: from app alone                          ─▶  another
import { hash } from "node:crypto";
import { basename, dirname, relative } from "node:path/posix";
import { type BuildOptions, build, type Metafile } from "esbuild";

/** Path in the folder of the program → text. */
export type Files = ReadonlyMap<string, string>;

export interface MergeOptions {
  /** Source files that are loaded together, one list for each kind of start. */
  readonly starts: readonly (readonly string[])[];
  readonly banner: string;
  readonly settings: BuildOptions;
}

type Outputs = Metafile["outputs"];

export async function mergeChunks(
  files: Files,
  outputs: Outputs,
  { starts, banner, settings }: MergeOptions,
): Promise<Files> {
  const groups = groupsOf(files, outputs, starts);
  const places = new Map(
    [...groups].flatMap(([name, chunks]) => chunks.map((chunk) => [chunk, name] as const)),
  );
  const merged = new Map<string, string>();
  for (const [path, text] of files) {
    if (!places.has(path)) merged.set(path, redirect(path, text, places));
  }
  for (const [name, chunks] of groups) {
    const text = await joined({ chunks, files, outputs, banner, settings });
    merged.set(name, redirect(name, text, places));
  }
  return merged;
}

/** What a chunk is needed by is also needed by what it imports: files import each other in one direction alone. */
function groupsOf(files: Files, outputs: Outputs, starts: MergeOptions["starts"]) {
  const reached = starts.map((sources) => reachedFrom(sources, outputs));
  const chunks = [...files.keys()].filter((path) => path.startsWith("chunk-"));
  const needed = Map.groupBy(chunks, (path) =>
    reached.flatMap((all, at) => (all.has(path) ? [at] : [])).join(""),
  );
  needed.delete("");
  // Chunks are named by their content, and so is what they become: a server that runs keeps the file that it began with.
  return new Map(
    [...needed].map(([starts, paths]) => {
      const content = hash("sha256", paths.sort().join(), "hex").slice(0, 8);
      return [`start-${starts}-${content}.js`, paths] as const;
    }),
  );
}

function reachedFrom(sources: readonly string[], outputs: Outputs): ReadonlySet<string> {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint !== undefined && sources.includes(entryPoint) ? [path] : [],
  );
  const found = new Set(entries);
  for (const path of found) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[next]) found.add(next);
    }
  }
  return found;
}

interface Group extends Pick<MergeOptions, "banner" | "settings"> {
  readonly chunks: readonly string[];
  readonly files: Files;
  readonly outputs: Outputs;
}

/** The chunks as one module. Two may export the same name, so each name gets its chunk's. */
async function joined({ chunks, files, outputs, banner, settings }: Group): Promise<string> {
  const contents = chunks.map((chunk) => {
    const names = (outputs[chunk]?.exports ?? []).map(
      (name) => `${name} as ${ownName(chunk, name)}`,
    );
    return names.length === 0 ? `import"./${chunk}";` : `export{${names.join()}}from"./${chunk}";`;
  });
  const { outputFiles } = await build({
    ...settings,
    stdin: { contents: contents.join("\n") },
    bundle: true,
    write: false,
    banner: { js: banner },
    plugins: [
      {
        name: "joined-chunks",
        setup(bundler) {
          bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) => {
            const isInside = kind === "import-statement" && chunks.includes(basename(path));
            return isInside
              ? { path: basename(path), namespace: "chunk" }
              : { path, external: true };
          });
          bundler.onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => ({
            contents: (files.get(path) ?? "").replace(banner, ""),
            loader: "js",
          }));
        },
      },
    ],
  });
  return outputFiles?.[0]?.text ?? "";
}

function ownName(chunk: string, name: string): string {
  return `${name}_${chunk.slice("chunk-".length, -".js".length)}`;
}

const FROM_CHUNK = /\b(import|export)(?:\{([^}]*)\}from)?"((?:\.{1,2}\/)+)(chunk-[A-Z0-9]+\.js)"/g;

/** Imports of chunks become imports of the file that holds them now. */
function redirect(path: string, text: string, places: ReadonlyMap<string, string>): string {
  const moved = text.replace(FROM_CHUNK, (all, verb: string, names, _folder, chunk: string) => {
    const place = places.get(chunk);
    if (place === undefined) return all;
    const to = relative(dirname(path), place);
    const target = JSON.stringify(to.startsWith(".") ? to : `./${to}`);
    if (names === undefined) return `${verb}${target}`;
    return `${verb}{${toOwnNames(names, chunk)}}from${target}`;
  });
  const left = [...places.keys()].find((chunk) => moved.includes(chunk));
  if (left !== undefined) throw new Error(`${path} takes ${left} in a way that is not known here`);
  return moved;
}

/** `a,b as c` → `a_X as a,b_X as c` */
function toOwnNames(names: string, chunk: string): string {
  const each = names.split(",").filter((name) => name !== "");
  return each
    .map((name) => {
      const [taken = "", as = taken] = name.split(" as ");
      return `${ownName(chunk, taken)} as ${as}`;
    })
    .join();
}
