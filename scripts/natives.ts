// The native parts of each platform, taken out of the official npm packages: what is loaded, and nothing for GPUs or
// for other platforms. packaging/natives.json lists every file with its sha256; `node scripts/natives.ts --update`
// rewrites it after an upgrade.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPackage } from "./npm-tarball.ts";

export interface NativeFile {
  readonly package: string;
  /** In that package. */
  readonly path: string;
  readonly sha256: string;
}

export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: "glibc" | "musl";
  /** Under the names by which they are loaded. */
  readonly files: Readonly<Record<string, NativeFile>>;
}

export type Platforms = Readonly<Record<string, Platform>>;

const LIST = "packaging/natives.json";

export async function readPlatforms(root: string): Promise<Platforms> {
  return JSON.parse(await readFile(join(root, LIST), "utf8")) as Platforms;
}

/** Undefined where this machine has none: the program then works without the model, PDF and OCR. */
export function ownPlatform(platforms: Platforms): string | undefined {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } };
  const isMusl = process.platform === "linux" && report.header?.glibcVersionRuntime === undefined;
  const name = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
  return Object.hasOwn(platforms, name) ? name : undefined;
}

/** Puts a platform's files into a folder, each checked. */
export async function placeNatives(
  root: string,
  platform: Platform,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tarballs = new Map<string, Promise<ReadonlyMap<string, Buffer>>>();
  for (const [name, file] of Object.entries(platform.files)) {
    const target = join(folder, name);
    const installed = join(root, "node_modules", file.package, file.path);
    const isCopied = await copyFile(installed, target).then(
      () => true,
      () => false,
    );
    if (!isCopied) {
      const packed = tarballs.get(file.package) ?? fetchLocked(root, file.package);
      tarballs.set(file.package, packed);
      await writeFile(target, (await packed).get(`package/${file.path}`) ?? "");
    }
    if (sha256Of(await readFile(target)) !== file.sha256) {
      throw new Error(`${file.package}/${file.path} is not the file that ${LIST} names`);
    }
  }
}

/** Another platform's package is not installed here. */
async function fetchLocked(root: string, name: string): Promise<ReadonlyMap<string, Buffer>> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not name ${name}`);
  return readPackage(`${name}@${locked.version}`, locked.integrity);
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const RUNTIME = "onnxruntime-node";
/** `runtime`: ONNX Runtime's library, where it has one for the platform. */
const SOURCES = [
  {
    name: "linux-x64",
    libc: "glibc",
    triple: "linux-x64-gnu",
    pdfium: "libpdfium.so",
    runtime: "libonnxruntime.so.1",
  },
  {
    name: "linux-arm64",
    libc: "glibc",
    triple: "linux-arm64-gnu",
    pdfium: "libpdfium.so",
    runtime: "libonnxruntime.so.1",
  },
  { name: "linux-x64-musl", libc: "musl", triple: "linux-x64-musl", pdfium: "libpdfium.so" },
  {
    name: "darwin-arm64",
    triple: "darwin-arm64",
    pdfium: "libpdfium.dylib",
    runtime: "libonnxruntime.1.dylib",
  },
  { name: "darwin-x64", triple: "darwin-x64", pdfium: "libpdfium.dylib" },
  { name: "win32-x64", triple: "win32-x64-msvc", pdfium: "pdfium.dll", runtime: "onnxruntime.dll" },
  {
    name: "win32-arm64",
    triple: "win32-arm64-msvc",
    pdfium: "pdfium.dll",
    runtime: "onnxruntime.dll",
  },
] as const;

async function describe(root: string, source: (typeof SOURCES)[number]): Promise<Platform> {
  const [os = "", cpu = ""] = source.name.split("-");
  const parser = `@llamaindex/liteparse-${source.triple}`;
  const parsed = await fetchLocked(root, parser);
  const fromParser = (path: string): NativeFile => ({
    package: parser,
    path,
    sha256: sha256Of(parsed.get(`package/${path}`) ?? new Uint8Array()),
  });
  const fromRuntime = async (file: string): Promise<NativeFile> => {
    const path = `bin/napi-v6/${os}/${cpu}/${file}`;
    const bytes = await readFile(join(root, "node_modules", RUNTIME, path));
    return { package: RUNTIME, path, sha256: sha256Of(bytes) };
  };
  const binding = "onnxruntime_binding.node";
  return {
    os,
    cpu,
    ...("libc" in source && { libc: source.libc }),
    files: {
      ...("runtime" in source && {
        [binding]: await fromRuntime(binding),
        [source.runtime]: await fromRuntime(source.runtime),
      }),
      "liteparse.node": fromParser(`liteparse.${source.triple}.node`),
      [source.pdfium]: fromParser(source.pdfium),
    },
  };
}

if (import.meta.main && process.argv.includes("--update")) {
  const root = join(import.meta.dirname, "..");
  const found: Record<string, Platform> = {};
  for (const source of SOURCES) found[source.name] = await describe(root, source);
  await writeFile(join(root, LIST), `${JSON.stringify(found, null, 2)}\n`);
}
