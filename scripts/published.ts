// The manifests of the published packages. All JavaScript is bundled, so nothing is installed next to the program
// but the native parts: inside it (`npm pack`, for one platform) or as one package per platform (`npm run packages`).
import type { Platform, Platforms } from "./natives.ts";

export type Manifest = Readonly<Record<string, unknown>>;

const KEPT = [
  "name",
  "version",
  "description",
  "mcpName",
  "keywords",
  "license",
  "repository",
  "type",
  "bin",
  "engines",
];

export const nativeName = (platform: string) => `@knowledge-server/native-${platform}`;

function programManifest(own: Manifest): Manifest {
  const kept = Object.fromEntries(KEPT.flatMap((key) => (key in own ? [[key, own[key]]] : [])));
  const { start } = own["scripts"] as { start: string };
  return { ...kept, files: own["files"], scripts: { start } };
}

/** The program with the native parts of one platform; without any, for a machine that has none. */
export function toBundled(own: Manifest, platform?: Platform): Manifest {
  if (platform === undefined) return programManifest(own);
  return { ...programManifest(own), ...boundTo(platform) };
}

/** The program for every platform: npm installs the one package of native parts that suits the machine. */
export function toMain(own: Manifest, platforms: Platforms): Manifest {
  const natives = Object.keys(platforms).map((name) => [nativeName(name), own["version"]]);
  const files = (own["files"] as readonly string[]).filter((path) => path !== "native/");
  return { ...programManifest(own), files, optionalDependencies: Object.fromEntries(natives) };
}

export function toNative(own: Manifest, name: string, platform: Platform): Manifest {
  return {
    name: nativeName(name),
    version: own["version"],
    description: `Native parts of ${String(own["name"])} for ${name}: ONNX Runtime and the PDF and OCR engine.`,
    license: "Apache-2.0 AND MIT AND BSD-3-Clause",
    ...(own["repository"] === undefined ? {} : { repository: own["repository"] }),
    ...boundTo(platform),
    files: [...Object.keys(platform.files), "NOTICE"],
    preferUnplugged: true,
  };
}

function boundTo({ os, cpu, libc }: Platform): Manifest {
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}
