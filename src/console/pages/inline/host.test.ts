import { afterEach, expect, test, vi } from "vitest";
import { openHost } from "./host.ts";

afterEach(() => vi.unstubAllGlobals());

test("a result that comes before the page listens is not lost", () => {
  const parent = { postMessage: () => undefined };
  const frame = Object.assign(new EventTarget(), { parent });
  vi.stubGlobal("window", frame);
  const host = openHost();
  const send = (filename: string) => {
    const message = new Event("message");
    const params = { structuredContent: { filename } };
    const data = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params };
    frame.dispatchEvent(Object.assign(message, { data, source: parent }));
  };

  send("early.md");
  expect(host.shown.get()?.filename).toBe("early.md");
  send("late.md");
  expect(host.shown.get()?.filename).toBe("late.md");
});
