// Puts PostgreSQL 15 and pgvector on a Debian or Ubuntu machine, from its own package mirror.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const VERSIONS = "/usr/lib/postgresql";
const MIN_VERSION = 15;
const INSTALLED_VERSION = 15;
const BIN = join(VERSIONS, String(INSTALLED_VERSION), "bin");
const HEADERS = `/usr/include/postgresql/${INSTALLED_VERSION}/server/postgres.h`;
const PACKAGES = [
  `postgresql-${INSTALLED_VERSION}`,
  `postgresql-server-dev-${INSTALLED_VERSION}`,
  "build-essential",
];

// Debian 12 has no pgvector package; the next release's source builds against its PostgreSQL.
const SOURCE = {
  suite: "trixie",
  package: "pgvector",
  tarball: "pgvector_0.8.0.orig.tar.gz",
  sha256: "867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0",
};

const exec = promisify(execFile);
const say = (line: string) => process.stderr.write(`[postgres] ${line}\n`);
const QUIET = {
  env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  maxBuffer: 64 * 1024 * 1024,
};

/** The folder of a server's programs that has what is needed; put there when there is none. */
export async function installPostgres(): Promise<string> {
  const found = findServer();
  if (found) return found;
  if (!existsSync("/usr/bin/apt-get")) throw new Error("this machine has no apt");
  if (process.getuid?.() !== 0) throw new Error("installing it takes root");
  // Test files run side by side: one installs, the others wait for it.
  const lock = join(tmpdir(), "knowledge-postgres-install.lock");
  const command = [lock, process.execPath, import.meta.filename];
  await once(spawn("/usr/bin/flock", command, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
  const installed = findServer();
  if (!installed) throw new Error("it could not be installed");
  return installed;
}

function findServer(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  return versions
    .filter((version) => version >= MIN_VERSION)
    .sort((a, b) => b - a)
    .filter((version) => hasExtension(version, "vector"))
    .map((version) => join(VERSIONS, String(version), "bin"))
    .find((bin) => existsSync(join(bin, "postgres")));
}

function hasExtension(version: number, name: string): boolean {
  return existsSync(`/usr/share/postgresql/${version}/extension/${name}.control`);
}

async function install(): Promise<void> {
  if (findServer()) return;
  const started = Date.now();
  if (!existsSync(join(BIN, "postgres")) || !existsSync(HEADERS)) {
    say(`installing ${PACKAGES.join(", ")}`);
    // Another program of the machine may be installing something.
    const patient = ["-o", "DPkg::Lock::Timeout=300"];
    await exec("apt-get", ["update"], QUIET);
    const packages = ["install", "-y", "--no-install-recommends", ...PACKAGES];
    await exec("apt-get", [...patient, ...packages], QUIET);
  }
  if (!hasExtension(INSTALLED_VERSION, "vector")) {
    say("building pgvector");
    await buildVector();
  }
  say(`ready after ${Math.round((Date.now() - started) / 1000)} s`);
}

async function buildVector(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "knowledge-pgvector-"));
  try {
    const tarball = await fetchSource(folder);
    const digest = createHash("sha256")
      .update(await readFile(tarball))
      .digest("hex");
    if (digest !== SOURCE.sha256) throw new Error(`${SOURCE.tarball} has an unexpected sha256`);
    await exec("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
    // OPTFLAGS empty: the build must not depend on the instructions of the machine that made it.
    const flags = ["OPTFLAGS=", "with_llvm=no", `PG_CONFIG=${join(BIN, "pg_config")}`];
    await exec("make", ["-j2", ...flags, "install"], { ...QUIET, cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With a separate source list and index, so that the machine's apt settings stay untouched. */
async function fetchSource(folder: string): Promise<string> {
  const { uri, options } = await mirror();
  const list = join(folder, "sources.list");
  const lists = join(folder, "lists");
  await mkdir(join(lists, "partial"), { recursive: true });
  await writeFile(list, `deb-src ${options} ${uri} ${SOURCE.suite} main\n`);
  const settings = {
    "Dir::Etc::sourcelist": list,
    "Dir::Etc::sourceparts": "-",
    "Dir::State::lists": lists,
    "Acquire::Languages": "none",
    "APT::Sandbox::User": "root",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await exec("apt-get", [...flags, "update"], QUIET);
  const download = ["source", "--download-only", `${SOURCE.package}/${SOURCE.suite}`];
  await exec("apt-get", [...flags, ...download], { ...QUIET, cwd: folder });
  return join(folder, SOURCE.tarball);
}

interface Mirror {
  readonly uri: string;
  readonly options: string;
}

/** The mirror that serves this machine's release, from either form of apt's source lists. */
async function mirror(): Promise<Mirror> {
  for (const text of await sourceFiles()) {
    const found = fromStanzas(text) ?? fromLines(text);
    if (found) return found;
  }
  throw new Error("no package mirror in apt's source lists");
}

async function sourceFiles(): Promise<string[]> {
  const parts = "/etc/apt/sources.list.d";
  const names = existsSync(parts) ? await readdir(parts) : [];
  const paths = names.filter((name) => /\.(sources|list)$/.test(name)).map((n) => join(parts, n));
  const all = ["/etc/apt/sources.list", ...paths].filter((path) => existsSync(path));
  return Promise.all(all.map((path) => readFile(path, "utf8")));
}

function fromStanzas(text: string): Mirror | undefined {
  for (const stanza of text.split(/\n\s*\n/)) {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, "m").exec(stanza)?.[1]?.trim();
    const uri = field("URIs")?.split(/\s+/)[0];
    const isRelease = field("Suites")?.split(/\s+/).includes("bookworm");
    if (!uri || !isRelease) continue;
    const key = field("Signed-By");
    return { uri, options: key?.startsWith("/") ? `[signed-by=${key}]` : "" };
  }
  return undefined;
}

function fromLines(text: string): Mirror | undefined {
  const line = /^deb\s+(\[[^\]]*\]\s+)?(\S+)\s+bookworm\s/m.exec(text);
  const uri = line?.[2];
  return uri ? { uri, options: line?.[1]?.trim() ?? "" } : undefined;
}

if (import.meta.main) await install();
