// A certificate authority for tests, and certificates of it.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

interface Wanted {
  readonly host: string;
  /** By the authority of the folder, or signed with its own key. */
  readonly by: "authority" | "itself";
}

/** The file of the authority's certificate; its key is beside it. */
export async function makeAuthority(folder: string): Promise<string> {
  await make(folder, "ca", ["-subj", "/CN=Authority", "-addext", "keyUsage=keyCertSign"]);
  return join(folder, "ca.pem");
}

export async function makeCertificate(folder: string, { host, by }: Wanted): Promise<Certificate> {
  const files = ["-CA", join(folder, "ca.pem"), "-CAkey", join(folder, "ca.key")];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  await make(folder, host, [...names, ...(by === "authority" ? files : [])]);
  const [key, cert] = await Promise.all(
    ["key", "pem"].map((kind) => readFile(join(folder, `${host}.${kind}`), "utf8")),
  );
  return { key: key ?? "", cert: cert ?? "" };
}

async function make(folder: string, name: string, more: readonly string[]): Promise<void> {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const args = ["req", "-x509", ...KEY, "-keyout", key, "-out", cert, ...more];
  await promisify(execFile)("openssl", args);
}
