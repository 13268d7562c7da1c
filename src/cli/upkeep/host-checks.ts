// What `doctor` checks outside the rooms: the runtime, the data folder, the clients' configuration.

import { access, constants, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Check, CheckOutcome } from "../../tools/family.ts";

export interface Host {
  readonly dataDir: string;
  readonly home: string;
  readonly platform: string;
  readonly node: string;
}

// The first version that includes the database used by the embedded store.
const NEEDED_NODE = "22.13";

export function hostChecks(host: Host): readonly Check[] {
  return [
    { name: "Node", run: async () => checkNode(host.node) },
    { name: "data folder", run: () => checkFolder(host.dataDir) },
    ...Object.entries(clientFiles(host)).map(([name, path]) => ({
      name,
      run: () => checkClient(path, name === "VS Code" ? withoutComments : (text) => text),
    })),
  ];
}

function checkNode(version: string): CheckOutcome {
  const ok = version.localeCompare(NEEDED_NODE, "en", { numeric: true }) >= 0;
  const detail = toMessage("stated", version);
  return ok
    ? { state: "ok", detail }
    : { state: "fail", detail, remedy: toMessage("nodeOld", NEEDED_NODE) };
}

async function checkFolder(path: string): Promise<CheckOutcome> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.R_OK | constants.W_OK);
    return { state: "ok", detail: toMessage("stated", path) };
  } catch {
    const detail = toMessage("folderUnwritable", path);
    return { state: "fail", detail, remedy: toMessage("makeWritable") };
  }
}

function settingsFolder({ home, platform }: Host): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return platform === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config");
}

function clientFiles(host: Host): Readonly<Record<string, string>> {
  const { home } = host;
  const settings = settingsFolder(host);
  return {
    "Claude Desktop": join(settings, "Claude", "claude_desktop_config.json"),
    "Claude Code": join(home, ".claude.json"),
    Cursor: join(home, ".cursor", "mcp.json"),
    Kiro: join(home, ".kiro", "settings", "mcp.json"),
    "VS Code": join(settings, "Code", "User", "mcp.json"),
  };
}

interface Server {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
}

interface Settings {
  readonly mcpServers?: Readonly<Record<string, Server>>;
  readonly servers?: Readonly<Record<string, Server>>;
  /** Claude Code's settings by folder. */
  readonly projects?: Readonly<Record<string, Settings>>;
}

function serversOf({ mcpServers, servers, projects = {} }: Settings): readonly [string, Server][] {
  const own = Object.entries({ ...mcpServers, ...servers });
  return [...own, ...Object.values(projects).flatMap(serversOf)];
}

/** VS Code allows comments on separate lines and trailing commas. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\/.*$/gm, "").replace(/,(\s*[}\]])/g, "$1");
}

async function checkClient(path: string, toJson: (text: string) => string): Promise<CheckOutcome> {
  // Most people have one or two of these clients.
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return { state: "off", detail: toMessage("clientAbsent") };
  let settings: Settings;
  try {
    settings = JSON.parse(toJson(text));
  } catch {
    const detail = toMessage("clientDamaged", path);
    return { state: "warn", detail, remedy: toMessage("clientDamagedFix") };
  }
  const ours = serversOf(settings).find(
    ([name, server]) => name === "knowledge" || JSON.stringify(server).includes("knowledge-server"),
  );
  if (ours) return checkServer(path, ...ours);
  const remedy = toMessage("clientWithoutFix", path);
  return { state: "off", detail: toMessage("clientWithout"), remedy };
}

async function checkServer(path: string, name: string, server: Server): Promise<CheckOutcome> {
  const file = server.args?.find(
    (each) => each.includes("knowledge-server") && each.endsWith(".js"),
  );
  try {
    if (file !== undefined) await access(file);
    return { state: "ok", detail: toMessage("clientConnected", name) };
  } catch {
    const detail = toMessage("clientBroken", name, file ?? "");
    return { state: "fail", detail, remedy: toMessage("clientBrokenFix", path) };
  }
}
