// Ready configuration for each client, with this server's real address and paths.

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

type InstallLink = (server: Readonly<Record<string, unknown>>) => string;

export interface Client {
  readonly name: string;
  readonly http?: (address: string, needsToken: boolean) => Snippet;
  readonly stdio: (host: Host) => Snippet;
  /** Opens the client with this server's details filled in, if it has registered for such links. */
  readonly install?: InstallLink;
}

const NAME = "knowledge";

export const cursorLink: InstallLink = (server) => {
  const config = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(server))));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(config)}`;
};

export const vscodeLink: InstallLink = (server) =>
  `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...server }))}`;

export const toProcess = ({ command, args, env }: Host) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});

interface SettingsFile {
  readonly file: string;
  /** The key of all servers in the file. */
  readonly root?: string;
  readonly remote?: (url: string) => object;
  readonly local?: (process: object) => object;
}

/** A client that reads its servers from a JSON file. */
function inFile(name: string, settings: SettingsFile) {
  const { file, root = "mcpServers", remote = (url) => ({ url }), local = (own) => own } = settings;
  const toSnippet = (server: object): Snippet => ({
    file,
    text: JSON.stringify({ [root]: { [NAME]: server } }, null, 2),
  });
  return {
    name,
    http: (address: string, needsToken: boolean) =>
      toSnippet({
        ...remote(address),
        ...(needsToken && { headers: { Authorization: "Bearer YOUR_TOKEN" } }),
      }),
    stdio: (host: Host) => toSnippet(local(toProcess(host))),
  };
}

const quoted = (word: string) =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A client that a command adds servers to. */
const byCommand =
  (...start: readonly string[]) =>
  ({ command, args, env }: Host): Snippet => {
    const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    return { text: [...start, ...variables, "--", command, ...args].map(quoted).join(" ") };
  };

const asHttp = (url: string) => ({ type: "http", url });

export const CLIENTS: readonly [Client, ...Client[]] = [
  {
    name: "Claude Desktop",
    // The file's location depends on the system; the app opens it itself.
    stdio: inFile("", { file: "claude_desktop_config.json (Settings → Developer → Edit Config)" })
      .stdio,
  },
  {
    name: "Claude Code",
    http: (address, needsToken) => ({
      text: `claude mcp add --transport http --scope user ${NAME} ${address}${needsToken ? ' --header "Authorization: Bearer YOUR_TOKEN"' : ""}`,
    }),
    stdio: byCommand("claude", "mcp", "add", NAME, "--scope", "user"),
  },
  { ...inFile("Cursor", { file: "~/.cursor/mcp.json" }), install: cursorLink },
  {
    ...inFile("VS Code", {
      file: ".vscode/mcp.json",
      root: "servers",
      remote: asHttp,
      local: (own) => ({ type: "stdio", ...own }),
    }),
    install: vscodeLink,
  },
  inFile("Kiro", { file: "~/.kiro/settings/mcp.json" }),
  {
    name: "Codex",
    http: (address, needsToken) => ({
      text: `codex mcp add ${NAME} --url ${address}${needsToken ? " --bearer-token-env-var KNOWLEDGE_TOKEN" : ""}`,
    }),
    stdio: byCommand("codex", "mcp", "add", NAME),
  },
  inFile("Windsurf", {
    file: "~/.codeium/windsurf/mcp_config.json",
    remote: (serverUrl) => ({ serverUrl }),
  }),
  inFile("GitHub Copilot", {
    file: "~/.copilot/mcp-config.json",
    remote: (url) => ({ ...asHttp(url), tools: ["*"] }),
    local: (own) => ({ type: "local", ...own, tools: ["*"] }),
  }),
  inFile("Amazon Q CLI", { file: "~/.aws/amazonq/mcp.json", remote: asHttp }),
  inFile("Gemini CLI", {
    file: "~/.gemini/settings.json",
    remote: (httpUrl) => ({ httpUrl }),
  }),
];
