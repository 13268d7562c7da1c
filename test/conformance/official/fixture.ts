// A server with everything that the official suite asks for, served by this project's own transports.
import { createRequestStateCodec, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Mcp } from "../../../src/mcp/mcp.ts";
import { openSubscriptions } from "../../../src/mcp/subscriptions.ts";
import type { Change } from "../../../src/tools/family.ts";
import { addInputTools } from "./fixture-inputs.ts";
import { PIXEL } from "./fixture-media.ts";
import { addTools } from "./fixture-tools.ts";

export interface Fixture {
  notify(change: Change): void;
  readonly states: ReturnType<typeof createRequestStateCodec>;
}

export function openFixture(): Mcp {
  const listeners = new Set<(change: Change) => void>();
  const states = createRequestStateCodec({ key: "a key that only this test server knows" });
  const fixture: Fixture = {
    states,
    notify: (change) => {
      for (const listener of listeners) listener(change);
    },
  };
  return {
    refusal: () => undefined,
    running: () => 0,
    isFull: () => false,
    subscriptions: openSubscriptions({ refusal: () => undefined }),
    onChange(_who, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    createServer: () => createServer(fixture),
  };
}

function createServer(fixture: Fixture): McpServer {
  const server = new McpServer(
    { name: "fixture", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: fixture.states.verify },
    },
  );
  addTools(server, fixture);
  addInputTools(server, fixture);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: ["paris", "park", "party"], total: 3, hasMore: false },
  }));
  return server;
}

function addResources(server: McpServer): void {
  const add = (uri: string, mimeType: string, body: { text: string } | { blob: string }) =>
    server.registerResource(uri, uri, { mimeType }, async () => ({
      contents: [{ uri, mimeType, ...body }],
    }));
  add("test://static-text", "text/plain", {
    text: "This is the content of the static text resource.",
  });
  add("test://static-binary", "image/png", { blob: PIXEL });
  add("test://watched-resource", "text/plain", { text: "Watched." });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: "user" as const, content });
  const text = (value: string) => user({ type: "text" as const, text: value });
  server.registerPrompt("test_simple_prompt", { description: "Fixture" }, async () => ({
    messages: [text("This is a simple prompt for testing.")],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Fixture", argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({
      messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Fixture", argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        user({
          type: "resource" as const,
          resource: {
            uri: resourceUri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        }),
        text("Please process the embedded resource above."),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Fixture" }, async () => ({
    messages: [
      user({ type: "image" as const, data: PIXEL, mimeType: "image/png" }),
      text("Please analyze the image above."),
    ],
  }));
}
