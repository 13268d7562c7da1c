// The tools of the built program through the official client: what the contract suites call. The client checks every
// structured result against the schema that the server lists for the tool.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Connected, connect } from "./spawned.ts";
import { tempFolder } from "./temp-folder.ts";

type Payload = Readonly<Record<string, unknown>>;

interface Block {
  readonly type: string;
  readonly text: string;
  readonly uri?: string;
  readonly name?: string;
}

interface ToolResult {
  /** The JSON of the text content. */
  readonly payload: unknown;
  readonly structured: unknown;
  /** What is said beside the JSON, in text blocks of its own. */
  readonly notes: readonly string[];
  readonly links: readonly Block[];
  readonly isError: boolean | undefined;
}

export interface ShippedTools extends Pick<Connected, "client" | "messages"> {
  /** Where files may be added from. */
  readonly root: string;
  run(name: string, args: object, options?: object): Promise<ToolResult>;
  call(name: string, args: object, options?: object): Promise<Payload>;
  write(name: string, text: string): Promise<string>;
  readResource(uri: string): Promise<string>;
  dispose(): Promise<void>;
}

/** `settings` as in a configuration file. */
export async function shippedTools(settings: object = {}): Promise<ShippedTools> {
  const folder = tempFolder("shipped");
  const root = join(folder, "files");
  const config = join(folder, "config.json");
  await mkdir(root);
  await writeFile(config, JSON.stringify(settings));
  const { client, messages, close } = await connect("stdio", {
    dataDir: join(folder, "data"),
    root,
    config,
  });
  await client.listTools();
  const run = async (name: string, args: object, options: object = {}): Promise<ToolResult> => {
    const asked = { name, arguments: { ...args } };
    const result = await client.callTool(asked, { timeout: 280_000, ...options });
    const blocks = result.content as readonly Block[];
    const [content, ...more] = blocks.filter(({ type }) => type === "text");
    return {
      links: blocks.filter(({ type }) => type === "resource_link"),
      payload: JSON.parse(content?.text ?? "null"),
      structured: result.structuredContent,
      notes: more.map(({ text }) => text),
      isError: result.isError,
    };
  };
  return {
    root,
    client,
    messages,
    run,
    call: async (name, args, options) => (await run(name, args, options)).payload as Payload,
    async write(name, text) {
      await writeFile(join(root, name), text);
      return join(root, name);
    },
    async readResource(uri) {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { readonly text: string }).text;
    },
    async dispose() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
