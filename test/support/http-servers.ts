// HTTP servers shared by the tests of one file: one per set of flags.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { startHttpProgram } from "./process.ts";
import { tempFolder } from "./temp-folder.ts";

type Server = ReturnType<typeof startHttpProgram>;

/** They stop after the last test. */
export function httpServers(): (...flags: readonly string[]) => Server {
  const servers = new Map<string, Server>();
  afterAll(async () => {
    await Promise.all([...servers.values()].map(async (server) => (await server).stop()));
  });
  return (...flags) => {
    const key = flags.join(" ");
    const server = servers.get(key) ?? startHttpProgram({ args: flags });
    servers.set(key, server);
    return server;
  };
}

export type Tokens = Readonly<Record<string, readonly string[]>>;

/** Writes a file with these tokens and their rights; returns its path. */
export async function writeTokens(tokens: Tokens, folder = tempFolder("tokens")): Promise<string> {
  const file = join(folder, "tokens.yaml");
  const rows = Object.entries(tokens).map(([name, rights]) => ({
    name,
    sha256: createHash("sha256").update(name).digest("hex"),
    rights,
  }));
  await writeFile(file, JSON.stringify({ tokens: rows }));
  return file;
}
