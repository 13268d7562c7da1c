// The documents family on its own store: real tools, tasks and store, with instant extraction and embedding.
import { join } from "node:path";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { documentsFamily } from "../../src/tools/documents/family.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import { testAccess } from "./access-control.ts";
import { callContext } from "./call-context.ts";
import { testSights } from "./sights.ts";
import { silentLog } from "./silent-log.ts";
import { type TempIngest, tempIngest } from "./temp-ingest.ts";
import { openStoreHere, tempStore } from "./temp-store.ts";

export interface TempDocuments extends TempIngest {
  /** A tool's payload, checked against its output schema. */
  call(name: string, args: unknown): Promise<Readonly<Record<string, unknown>>>;
}

export async function tempDocuments({ topK = 10 } = {}): Promise<TempDocuments> {
  const temp = await tempStore((dataDir) => openStoreHere(dataDir));
  const at = await tempIngest({ temp });
  at.ingest.start();
  const log = silentLog();
  const { tools } = documentsFamily({
    sights: testSights(),
    store: async () => at.store,
    ingest: async () => at.ingest,
    search: async () =>
      openSearch({ store: at.store.documents, embed: at.embed, analyser: openAnalyser(), log }),
    embed: async () => at.embed,
    extract: async () => at.extract,
    maxFileMb: 1,
    allowUrls: true,
    topK,
    checksFile: join(temp.dataDir, "checks.jsonl"),
    isAudited: false,
    auditIssue: testAccess().auditIssue,
    shown: { note: () => {}, start: () => async () => {} },
    onRemoved: () => {},
  });
  return {
    ...at,
    async call(name, args) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const { payload, structured = payload, isError } = await runTool(tool, args, callContext());
      const schema = isError ? tool.output?.failure : tool.output?.success;
      return schema?.parse(structured) as Readonly<Record<string, unknown>>;
    },
  };
}
