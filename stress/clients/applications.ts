// The client applications: how each is installed, set up in a clean home, pointed at a model on loopback and asked a
// question without an account.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Place {
  /** A clean home, and the working folder in it. */
  readonly home: string;
  readonly work: string;
  readonly modelUrl: string;
  /** Where the package was installed. */
  readonly bin: string;
}

/** How the client reaches the server. */
export type Reach =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string };

interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Application {
  readonly name: string;
  readonly title: string;
  readonly npm: string;
  readonly bin: string;
  prepare(place: Place, reach: Reach): Launch;
}

const ASK = "Use the knowledge tools.";

function write(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

const claude: Application = {
  name: "claude",
  title: "Claude Code",
  npm: "@anthropic-ai/claude-code",
  bin: "claude",
  prepare({ home, bin, modelUrl }, reach) {
    const config = join(home, "mcp.json");
    const server =
      reach.kind === "stdio"
        ? { command: reach.command, args: reach.args }
        : { type: "http", url: reach.url };
    write(config, JSON.stringify({ mcpServers: { knowledge: server } }));
    const options = ["--mcp-config", config, "--strict-mcp-config", "--verbose"];
    const allowed = ["--allowedTools", "mcp__knowledge,ListMcpResourcesTool,ReadMcpResourceTool"];
    return {
      command: [bin, "-p", ASK, ...options, "--output-format", "stream-json", ...allowed],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // Else the model has to search for the tools before it sees them.
        ENABLE_TOOL_SEARCH: "false",
      },
    };
  },
};

const gemini: Application = {
  name: "gemini",
  title: "Gemini CLI",
  npm: "@google/gemini-cli",
  bin: "gemini",
  prepare({ home, bin, modelUrl }, reach) {
    const server =
      reach.kind === "stdio"
        ? { command: reach.command, args: reach.args, trust: true }
        : { httpUrl: reach.url, trust: true };
    const settings = {
      mcpServers: { knowledge: server },
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
    };
    write(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    const options = ["--yolo", "--skip-trust", "--output-format", "stream-json"];
    return {
      command: [bin, "-p", ASK, ...options],
      env: {
        GEMINI_API_KEY: "none",
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_MODEL: "gemini-2.5-flash",
      },
    };
  },
};

const codex: Application = {
  name: "codex",
  title: "Codex CLI",
  npm: "@openai/codex",
  bin: "codex",
  prepare({ home, bin, modelUrl }, reach) {
    const server =
      reach.kind === "stdio"
        ? [`command = ${JSON.stringify(reach.command)}`, `args = ${JSON.stringify(reach.args)}`]
        : [`url = ${JSON.stringify(reach.url)}`];
    const lines = [
      'model = "gpt-5"',
      'model_provider = "local"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "[model_providers.local]",
      'name = "local"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "LOCAL_KEY"',
      "[mcp_servers.knowledge]",
      ...server,
      // Else the first question may be asked before the server's tools are known.
      "required = true",
      "startup_timeout_sec = 60",
    ];
    write(join(home, ".codex/config.toml"), `${lines.join("\n")}\n`);
    return {
      command: [bin, "exec", "--skip-git-repo-check", "--json", ASK],
      env: { LOCAL_KEY: "none" },
    };
  },
};

const opencode: Application = {
  name: "opencode",
  title: "opencode",
  npm: "opencode-ai",
  bin: "opencode",
  prepare({ work, bin, modelUrl }, reach) {
    const server =
      reach.kind === "stdio"
        ? { type: "local", command: [reach.command, ...reach.args], enabled: true }
        : { type: "remote", url: reach.url, enabled: true };
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      name: "local",
      options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
      models: { model: { name: "model" } },
    };
    const config = {
      model: "local/model",
      provider: { local: provider },
      mcp: { knowledge: server },
      autoupdate: false,
      share: "disabled",
    };
    write(join(work, "opencode.json"), JSON.stringify(config));
    return { command: [bin, "run", ASK, "--format", "json"], env: {} };
  },
};

export const APPLICATIONS: readonly Application[] = [claude, gemini, codex, opencode];
