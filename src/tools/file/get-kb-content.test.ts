import { expect, test } from "vitest";
import { callContext } from "../../../test/support/call-context.ts";
import type { KbFile, KbFileState } from "../../kbfile/kbfile.ts";
import { openLog } from "../../observe/log.ts";
import { runTool } from "../run-tool.ts";
import { getKbContent } from "./get-kb-content.ts";

test("before the load has ended: empty, with a warning in the log", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "warn", write: (line) => void lines.push(line) });
  const at: { state: KbFileState } = { state: { kind: "loading" } };
  const kbFile: KbFile = {
    description: "",
    state: () => at.state,
    loaded: Promise.resolve(),
  };
  const content = () => runTool(getKbContent(kbFile), {}, callContext({ log }));
  expect((await content()).payload).toEqual({ status: "empty", contentLength: 0, content: "" });
  expect(lines.join("")).toContain("kbfile.asked-before-load");
  at.state = { kind: "loaded", content: "late", sizeBytes: 4, lastModified: "" };
  expect((await content()).payload).toMatchObject({ status: "ok", content: "late" });
});
