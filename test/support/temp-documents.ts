// The documents family on a store of its own: real tools, tasks and store; reading and embedding take no time.
import { OWNER } from "../../src/domain/call/principal.ts";
import { openLog } from "../../src/observe/log.ts";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { documentsOffer } from "../../src/tools/documents/family.ts";
import type { Offer } from "../../src/tools/family.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import type { CallContext, Tool, ToolOutput } from "../../src/tools/tool.ts";
import { testDoor } from "./door.ts";
import { type TempIngest, tempIngest } from "./temp-ingest.ts";

type Payload = Readonly<Record<string, unknown>>;

export interface TempDocuments extends TempIngest {
  readonly offer: Offer;
  tool(name: string): Tool;
  run(name: string, args: unknown, context?: Partial<CallContext>): Promise<ToolOutput>;
  /** Its payload, checked against the tool's output schema. */
  call(name: string, args: unknown, context?: Partial<CallContext>): Promise<Payload>;
  /** The same from a family that has just been opened. */
  fresh(name: string, args: unknown): Promise<Payload>;
  readResource(uri: string): Promise<string>;
}

export async function tempDocuments(): Promise<TempDocuments> {
  const at = await tempIngest();
  at.ingest.start();
  const log = openLog({ level: "silent" });
  const open = () =>
    documentsOffer({
      store: async () => at.store,
      ingest: async () => at.ingest,
      search: async () =>
        openSearch({ store: at.store.documents, embed: at.embed, analyser: openAnalyser(), log }),
      embed: async () => at.embed,
      extract: async () => at.extract,
      folders: async () => [],
      chunkSize: 500,
      maxFileMb: 1,
      auditIssue: testDoor().auditIssue,
      onRemoved: () => {},
    });
  const offer = open();
  const callOf =
    (from: Offer) =>
    async (name: string, args: unknown, context = {}) => {
      const tool = toolOf(from, name);
      const { payload } = await runTool(tool, args, { ...quiet(), ...context });
      return tool.output?.parse(payload) as Payload;
    };
  return {
    ...at,
    get gate() {
      return at.gate;
    },
    offer,
    tool: (name) => toolOf(offer, name),
    run: (name, args, context) => runTool(toolOf(offer, name), args, { ...quiet(), ...context }),
    call: callOf(offer),
    fresh: (name, args) => callOf(open())(name, args),
    readResource: (uri) => readFrom(offer, uri),
  };
}

function quiet(): CallContext {
  return {
    principal: OWNER,
    signal: new AbortController().signal,
    log: openLog({ level: "silent" }),
    progress: () => {},
    taskProgress: () => {},
  };
}

function toolOf({ tools }: Offer, name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

async function readFrom({ templates = [] }: Offer, uri: string): Promise<string> {
  for (const template of templates) {
    const pattern = template.uriTemplate.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(uri);
    if (match === null) continue;
    const [first] = await template.read(uri, { ...match.groups }, quiet());
    return first?.text ?? "";
  }
  throw new Error(`no template for ${uri}`);
}
