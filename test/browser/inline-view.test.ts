// The inline view of MCP Apps in a real browser, inside a small host written to the specification: a sandboxed frame,
// JSON-RPC by postMessage, calls forwarded to the server.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, PATIENCE_MS } from "../support/browser.ts";
import { modernClient, payloadOf } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";

const UI = "io.modelcontextprotocol/ui";
const MIME = "text/html;profile=mcp-app";
const SHOWS = { extensions: { [UI]: { mimeTypes: [MIME] } } };
const HOSTILE = "<img src=x onerror=\"parent.postMessage('owned','*')\"> herons";

const browser: Browser | undefined = await openBrowser();
let server: Program & { url: string };
const client = (capabilities = {}) => modernClient(`${server.url}/mcp`, { capabilities });
const call = (name: string, args: object) => client().ask("tools/call", { name, arguments: args });

beforeAll(async () => {
  server = await startHttpProgram({ args: [] });
  const text = `# Birds\n\nHerons wade in the shallows.\n\nBefore dawn they fish. ${HOSTILE}\n`;
  await call("knowledge-add-text", { text, filename: "birds.md", async: false });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const readView = async () => {
  const { result } = await client(SHOWS).ask("resources/read", {
    uri: "ui://knowledge-server/view",
  });
  const [content] = (result?.["contents"] ?? []) as readonly {
    mimeType: string;
    text: string;
    _meta: { ui: object };
  }[];
  if (!content) throw new Error("There is no view.");
  return content;
};

test("two tools offer the view, only to clients that can show it", async () => {
  const listed = async (capabilities: object) => {
    const { result } = await client(capabilities).ask("tools/list");
    return (result?.["tools"] ?? []) as readonly { name: string; _meta?: { ui: object } }[];
  };
  const shown = (await listed(SHOWS)).filter(({ _meta }) => _meta?.ui !== undefined);
  expect(shown.map(({ name }) => name).sort()).toEqual(["knowledge-read", "knowledge-search"]);
  for (const other of [{}, { extensions: { [UI]: { mimeTypes: ["text/other"] } } }]) {
    expect(JSON.stringify(await listed(other))).not.toContain("ui://");
  }
  const { result } = await client(SHOWS).ask("server/discover");
  expect(result?.["capabilities"]).toHaveProperty(["extensions", UI]);
});

test("it is one page without external requests", async () => {
  const { mimeType, text, _meta } = await readView();
  expect(mimeType).toBe(MIME);
  expect(_meta.ui).toMatchObject({ csp: { connectDomains: [], resourceDomains: [] } });
  expect(text).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  expect(text).not.toMatch(/<script[^>]+src=|<link/);
});

const HOST_SCRIPT = `({ html, result }) => {
  const frame = document.querySelector("iframe");
  window.said = [];
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  window.addEventListener("message", async ({ data }) => {
    window.said.push(data);
    const { id, method, params } = data;
    if (method === "ui/initialize") {
      const hostContext = { theme: "dark", displayMode: "inline" };
      send({ id, result: { protocolVersion: "2026-01-26", hostContext } });
    } else if (method === "ui/notifications/initialized") {
      send({ method: "ui/notifications/tool-result", params: result });
    } else if (method === "tools/call") {
      send({ id, result: await window.callServer(params.name, params.arguments) });
    }
  });
  frame.srcdoc = html;
}`;

/** The host's side: responds to the view and records its messages. */
async function openHostPage(opened: Browser, result: unknown) {
  const page: Page = await opened.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  const calls: string[] = [];
  await page.exposeFunction("callServer", async (name: string, args: object) => {
    calls.push(name);
    return (await call(name, args)).result;
  });
  await page.setContent('<iframe title="view" sandbox="allow-scripts" width="600"></iframe>');
  const given = JSON.stringify({ html: (await readView()).text, result }).replaceAll(
    "<",
    "\\u003c",
  );
  await page.evaluate(`(${HOST_SCRIPT})(${given})`);
  const said = () => page.evaluate<string>("JSON.stringify(window.said)");
  return { page, view: page.frameLocator("iframe"), troubles, calls, said };
}

describe.skipIf(browser === undefined)("in the browser", () => {
  test("results are shown, a hit opens its surroundings, and Back returns to the results", async () => {
    const { result } = await call("knowledge-search", { query: "where do herons wade" });
    const host = await openHostPage(browser as Browser, result);
    await host.view.getByRole("button", { name: "birds.md" }).click();
    await host.view.getByRole("heading", { name: "birds.md" }).waitFor();
    expect(await host.view.locator("pre").textContent()).toContain("Before dawn they fish.");
    expect(host.calls).toEqual(["knowledge-read"]);
    await host.view.getByRole("button", { name: "Results" }).click();
    await host.view.getByRole("listitem").first().waitFor();
    expect(await host.view.locator("img").count()).toBe(0);
    await expect.poll(host.said).toContain("ui/notifications/size-changed");
    expect(await host.said()).not.toContain("owned");
    expect(host.troubles).toEqual([]);
    await host.page.close();
  });

  test("a document that was read is shown as its page, an error as its message", async () => {
    const found = payloadOf(await call("knowledge-search", { query: "herons" }));
    const [{ document_id } = { document_id: "" }] = found["results"] as { document_id: string }[];
    const { result } = await call("knowledge-read", { document_id });
    const host = await openHostPage(browser as Browser, result);
    await host.view.getByRole("heading", { name: "birds.md" }).waitFor();
    await host.page.close();
    const refused = await call("knowledge-read", { document_id: "unknown" });
    const other = await openHostPage(browser as Browser, refused.result);
    await other.view.getByRole("alert").filter({ hasText: "not found" }).waitFor();
    await other.page.close();
  });

  test("the view sends nothing but messages to its host", async () => {
    const host = await openHostPage(browser as Browser, {
      structuredContent: { results: [] },
    });
    await host.view.getByText("Nothing was found.").waitFor();
    const frame = host.page.frames().at(-1);
    const fetched = await frame?.evaluate(
      (url) =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      server.url,
    );
    expect(fetched).toBe(false);
    await host.page.close();
  });
});
