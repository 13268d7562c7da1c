// Servers that ship, each in a state in which some calls fail, and both official clients on every transport of theirs.
import { rm } from "node:fs/promises";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdio } from "sdk-v1/client/stdio.js";
import { type ClientName, connectAs, dialAs, type TransportName } from "../support/clients.ts";
import { programEnv, programLine, startHttpProgram } from "../support/process.ts";
import { tempFolder } from "../support/temp-folder.ts";
import type { World } from "./error-cases.ts";

type Client = Awaited<ReturnType<typeof connectAs>>;
type Env = Readonly<Record<string, string>>;

export interface Visit {
  readonly client: Client;
  readonly folder: string;
  close(): Promise<void>;
}

/** Over HTTP and WebSocket. */
export interface WorldServer {
  open(transport: Exclude<TransportName, "stdio">, client: ClientName): Promise<Visit>;
  close(): Promise<unknown>;
}

function flagsOf({ flags = {} }: World): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
}

async function enter(world: World, client: Client, folder: string): Promise<void> {
  // By the reply the server has opened its folder; a client need not have asked for anything before.
  await client.listTools();
  await world.after?.(folder, (name, args) => client.callTool({ name, arguments: args }));
}

export async function startWorld(world: World, env: Env): Promise<WorldServer> {
  const { folder, url, stop } = await startHttpProgram({
    args: flagsOf(world),
    env: { ...env, ...world.env },
    prepare: world.before ?? (async () => {}),
  });
  const open: WorldServer["open"] = async (transport, name) => {
    const client = await dialAs(name, transport, `${url}/mcp`);
    return { client, folder, close: () => client.close() };
  };
  const owner = await open("http", "2.x, sessions");
  await enter(world, owner.client, folder);
  await owner.close();
  return { open, close: stop };
}

/** A process and a folder of its own, which end with the visit. */
export async function visitOverStdio(world: World, name: ClientName, env: Env): Promise<Visit> {
  const folder = tempFolder("world");
  await world.before?.(folder);
  const Stdio = name === "1.x" ? OldStdio : StdioClientTransport;
  const transport = new Stdio({
    command: process.execPath,
    args: programLine(flagsOf(world), folder),
    cwd: folder,
    env: { ...programEnv(folder), ...env, ...world.env },
    stderr: "ignore",
  });
  const client = await connectAs(name, transport);
  await enter(world, client, folder);
  return {
    client,
    folder,
    async close() {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
