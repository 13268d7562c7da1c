// Finds the native parts in the three places where they can be: inside the package, in the platform's own package, or
// in the development packages of a clone. The build puts it where the bundled packages would load theirs.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { platform, arch } = process;
const LIBC = { linux: ["-gnu", "-musl"], win32: ["-msvc"] };
const suffixes = LIBC[platform] ?? [""];

/** @param {"onnxruntime_binding.node" | "liteparse.node"} name */
export function loadNative(name) {
  const root = packageRoot();
  const require = createRequire(join(root, "package.json"));
  const problems = [];
  for (const path of candidates(name, root, require)) {
    try {
      return require(path);
    } catch (error) {
      problems.push(error);
    }
  }
  // A library that is there but does not load is worth its own words; paths of this machine are not.
  const [first] = problems.map((error) => String(error?.code ?? "it does not load"));
  const reason = first === undefined ? "none is installed" : first;
  throw new Error(`no native ${name.split(/[._]/)[0]} for ${platform}-${arch}: ${reason}`);
}

function candidates(name, root, require) {
  const found = [join(root, "native", name)];
  const folderOf = (id) => {
    try {
      found.push(join(dirname(require.resolve(`${id}/package.json`)), name));
    } catch {
      // Not installed: npm takes the one package that suits this machine.
    }
  };
  for (const libc of ["", "-musl"]) folderOf(`@knowledge-server/native-${platform}-${arch}${libc}`);
  const development = join(root, "node_modules");
  found.push(join(development, "onnxruntime-node/bin/napi-v6", platform, arch, name));
  for (const suffix of suffixes) {
    const triple = `${platform}-${arch}${suffix}`;
    const folder = join(development, "@llamaindex", `liteparse-${triple}`);
    found.push(join(folder, name.replace(/^liteparse/, `liteparse.${triple}`)));
  }
  return found.filter((path) => existsSync(path));
}

/** Chunks of the bundle lie at several depths. */
function packageRoot() {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}
