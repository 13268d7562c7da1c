// What the program brings along: no known weakness, and a list of it (--sbom prints that alone). Where the registry
// has no audit endpoint that is said, loudly, and is no failure: it says nothing about the packages.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export type Verdict =
  | { readonly kind: "clean"; readonly packages: number }
  | { readonly kind: "weak"; readonly names: readonly string[] }
  | { readonly kind: "unknown"; readonly reason: string };

/** Of what `npm audit --json` printed. */
export function judgeAudit(printed: string): Verdict {
  const report = parse(printed);
  const metadata = report?.["metadata"] as
    | { vulnerabilities?: { total?: number }; dependencies?: { prod?: number } }
    | undefined;
  if (metadata?.vulnerabilities?.total === undefined) {
    return { kind: "unknown", reason: String(report?.["message"] ?? "npm audit gave no report") };
  }
  const names = Object.keys((report?.["vulnerabilities"] as object | undefined) ?? {});
  if (metadata.vulnerabilities.total > 0) return { kind: "weak", names };
  return { kind: "clean", packages: metadata.dependencies?.prod ?? 0 };
}

interface Sbom {
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly purl?: string;
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string }[];
}

/** The whole tree's list without what only development needs: `--omit dev` also drops what both need. */
export function toRuntime(all: Sbom): Sbom {
  const isDevelopment = ({ properties = [] }: Sbom["components"][number]) =>
    properties.some(({ name, value }) => name === DEVELOPMENT && value === "true");
  const dropped = new Set(all.components.filter(isDevelopment).map((each) => each["bom-ref"]));
  return {
    ...all,
    components: all.components.filter((each) => !dropped.has(each["bom-ref"])),
    dependencies: all.dependencies.filter(({ ref }) => !dropped.has(ref)),
  };
}

const DEVELOPMENT = "cdx:npm:package:development";

export function missingFrom({ components }: Sbom, names: readonly string[]): readonly string[] {
  const listed = components.map(({ purl = "" }) => decodeURIComponent(purl));
  return names.filter((name) => !listed.some((purl) => purl.startsWith(`pkg:npm/${name}@`)));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function npm(...args: string[]): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, timeout: 60_000 } as const;
  return spawnSync("npm", args, options).stdout ?? "";
}

function main(args: readonly string[]): number {
  const sbom = toRuntime(JSON.parse(npm("sbom", "--sbom-format", "cyclonedx")) as Sbom);
  if (args.includes("--sbom")) {
    say(JSON.stringify(sbom, null, 2));
    return 0;
  }
  const audit = ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=10000"];
  const verdict = judgeAudit(npm(...audit));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const missing = missingFrom(sbom, Object.keys(dependencies));
  if (verdict.kind === "clean") say(`no known weakness in ${verdict.packages} runtime packages`);
  if (verdict.kind === "weak") say(`KNOWN WEAKNESSES in: ${verdict.names.join(", ")}`);
  if (verdict.kind === "unknown") {
    say(`NOT AUDITED: ${verdict.reason}. Run npm audit --omit=dev where the registry answers it.`);
  }
  say(missing.length === 0 ? "the SBOM lists them all" : `the SBOM lacks ${missing.join(", ")}`);
  return verdict.kind === "weak" || missing.length > 0 ? 1 : 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
