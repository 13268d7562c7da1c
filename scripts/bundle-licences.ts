// The licences of the packages whose code is in dist/: most of them want their text to go along.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** `inputs`: the files that a bundle was made of, from the project's root. */
export async function bundledPackages(
  root: string,
  inputs: readonly string[],
): Promise<readonly BundledPackage[]> {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  return Promise.all([...folders].sort().map((folder) => describe(join(root, folder))));
}

export async function licencesOf(root: string, inputs: readonly string[]): Promise<string> {
  const packages = await bundledPackages(root, inputs);
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version}\nLicence: ${license}\n\n${text}`,
  );
  const head = "Packages whose code is bundled in this folder, each under its own licence.";
  return `${[head, ...parts].join(`\n\n${"-".repeat(72)}\n`)}\n`;
}

async function describe(folder: string): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = (await readdir(folder)).find((name) => /^(?:licen[cs]e|copying)\b/i.test(name));
  const text = file === undefined ? "" : (await readFile(join(folder, file), "utf8")).trim();
  return { name: manifest.name, version: manifest.version, license: manifest.license ?? "", text };
}
