// Ready configuration for each client, with this server's real address and paths.
import { cursorLink, type InstallLink, vscodeLink } from "./install-link.ts";

export interface Host {
  /** The command that starts a local process on this machine. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Snippet {
  /** The file to paste it into; absent if it is a command to run. */
  readonly file?: string;
  readonly text: string;
}

export interface Client {
  readonly name: string;
  readonly http?: (address: string, needsToken: boolean) => Snippet;
  readonly stdio: (host: Host) => Snippet;
  /** Opens the client with this server's details filled in. */
  readonly install?: InstallLink;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = { Authorization: "Bearer YOUR_TOKEN" };
const auth = (needsToken: boolean) => (needsToken ? { headers: bearer } : {});
export const toProcess = ({ command, args, env }: Host) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});
const quoted = (words: readonly string[]) =>
  words
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");

const environment = (env: Host["env"]) =>
  Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);

export const CLIENTS: readonly [Client, ...Client[]] = [
  {
    name: "Claude Desktop",
    stdio: (host) => ({
      // The file's location depends on the system; the app opens it itself.
      file: "claude_desktop_config.json (Settings → Developer → Edit Config)",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
  {
    name: "Claude Code",
    http: (address, needsToken) => ({
      text: `claude mcp add --transport http --scope user knowledge ${address}${needsToken ? ' --header "Authorization: Bearer YOUR_TOKEN"' : ""}`,
    }),
    stdio: ({ command, args, env }) => ({
      text: quoted([
        ...["claude", "mcp", "add", "knowledge", "--scope", "user"],
        ...environment(env),
        ...["--", command, ...args],
      ]),
    }),
  },
  {
    name: "Cursor",
    install: cursorLink,
    http: (address, needsToken) => ({
      file: "~/.cursor/mcp.json",
      text: json({ mcpServers: { knowledge: { url: address, ...auth(needsToken) } } }),
    }),
    stdio: (host) => ({
      file: "~/.cursor/mcp.json",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
  {
    name: "VS Code",
    install: vscodeLink,
    http: (address, needsToken) => ({
      file: ".vscode/mcp.json",
      text: json({ servers: { knowledge: { type: "http", url: address, ...auth(needsToken) } } }),
    }),
    stdio: (host) => ({
      file: ".vscode/mcp.json",
      text: json({ servers: { knowledge: { type: "stdio", ...toProcess(host) } } }),
    }),
  },
  {
    name: "Kiro",
    http: (address, needsToken) => ({
      file: "~/.kiro/settings/mcp.json",
      text: json({ mcpServers: { knowledge: { url: address, ...auth(needsToken) } } }),
    }),
    stdio: (host) => ({
      file: "~/.kiro/settings/mcp.json",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
  {
    name: "Codex",
    http: (address, needsToken) => ({
      text: `codex mcp add knowledge --url ${address}${needsToken ? " --bearer-token-env-var KNOWLEDGE_TOKEN" : ""}`,
    }),
    stdio: ({ command, args, env }) => ({
      text: quoted([
        ...["codex", "mcp", "add", "knowledge"],
        ...environment(env),
        ...["--", command, ...args],
      ]),
    }),
  },
  {
    name: "Windsurf",
    http: (address, needsToken) => ({
      file: "~/.codeium/windsurf/mcp_config.json",
      text: json({ mcpServers: { knowledge: { serverUrl: address, ...auth(needsToken) } } }),
    }),
    stdio: (host) => ({
      file: "~/.codeium/windsurf/mcp_config.json",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
  {
    name: "GitHub Copilot",
    http: (address, needsToken) => ({
      file: "~/.copilot/mcp-config.json",
      text: json({
        mcpServers: {
          knowledge: { type: "http", url: address, tools: ["*"], ...auth(needsToken) },
        },
      }),
    }),
    stdio: (host) => ({
      file: "~/.copilot/mcp-config.json",
      text: json({
        mcpServers: { knowledge: { type: "local", ...toProcess(host), tools: ["*"] } },
      }),
    }),
  },
  {
    name: "Amazon Q CLI",
    http: (address, needsToken) => ({
      file: "~/.aws/amazonq/mcp.json",
      text: json({
        mcpServers: { knowledge: { type: "http", url: address, ...auth(needsToken) } },
      }),
    }),
    stdio: (host) => ({
      file: "~/.aws/amazonq/mcp.json",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
  {
    name: "Gemini CLI",
    http: (address, needsToken) => ({
      file: "~/.gemini/settings.json",
      text: json({ mcpServers: { knowledge: { httpUrl: address, ...auth(needsToken) } } }),
    }),
    stdio: (host) => ({
      file: "~/.gemini/settings.json",
      text: json({ mcpServers: { knowledge: toProcess(host) } }),
    }),
  },
];
