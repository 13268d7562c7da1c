// The tools that the official suite asks a server under test to have.
import { setTimeout as wait } from "node:timers/promises";
import {
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Fixture } from "./fixture.ts";
import { AUDIO, PIXEL } from "./fixture-media.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };

export function addTools(server: McpServer, fixture: Fixture): void {
  addContentTools(server);
  addTalkingTools(server);
  addElicitationTools(server);
  addDiagnosticTools(server, fixture);
}

function addContentTools(server: McpServer): void {
  const add = (name: string, run: () => Parameters<typeof answer>[0]) =>
    server.registerTool(name, { description: `Fixture: ${name}` }, async () => answer(run()));
  add("test_simple_text", () => [
    { type: "text", text: "This is a simple text response for testing." },
  ]);
  add("test_image_content", () => [image]);
  add("test_audio_content", () => [{ type: "audio", data: AUDIO, mimeType: "audio/wav" }]);
  add("test_embedded_resource", () => [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]);
  add("test_multiple_content_types", () => [
    { type: "text", text: "Multiple content types test:" },
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);
  server.registerTool("test_error_handling", { description: "Fixture: fails" }, async () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

type Block =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

function answer(content: Block[]) {
  return { content };
}

function resource(uri: string, mimeType: string, body: string): Block {
  return { type: "resource", resource: { uri, mimeType, text: body } };
}

function addTalkingTools(server: McpServer): void {
  server.registerTool(
    "test_tool_with_logging",
    { description: "Fixture: logs" },
    async (context) => {
      const { log } = (context as ServerContext).mcpReq;
      for (const line of ["started", "processing data", "completed"]) {
        await log(
          "info",
          line === "processing data" ? "Tool processing data" : `Tool execution ${line}`,
        );
        await wait(50);
      }
      return text("Logged three lines.");
    },
  );
  server.registerTool(
    "test_logging_tool",
    { description: "Fixture: logs once" },
    async (context) => {
      await (context as ServerContext).mcpReq.log("info", "A line.");
      return text("Logged a line.");
    },
  );
  server.registerTool(
    "test_tool_with_progress",
    { description: "Fixture: progress" },
    async (given) => {
      const { _meta, notify } = (given as ServerContext).mcpReq;
      const progressToken = _meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await notify({ method: "notifications/progress", params });
        }
        await wait(50);
      }
      return text("Reported progress.");
    },
  );
  server.registerTool(
    "test_sampling",
    { description: "Fixture: sampling", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const reply = await context.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(reply.content)}`);
    },
  );
}

const person = {
  type: "object" as const,
  properties: {
    username: { type: "string" as const, description: "User's response" },
    email: { type: "string" as const, description: "User's email address" },
  },
  required: ["username", "email"],
};

const defaults = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const, default: "John Doe" },
    age: { type: "integer" as const, default: 30 },
    score: { type: "number" as const, default: 95.5 },
    status: { type: "string" as const, enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean" as const, default: true },
  },
};

const options = ["option1", "option2", "option3"];
const titled = (kind: string) =>
  ["First", "Second", "Third"].map((name, at) => ({
    const: `value${at + 1}`,
    title: `${name} ${kind}`,
  }));
const enums = {
  type: "object" as const,
  properties: {
    untitledSingle: { type: "string" as const, enum: options },
    titledSingle: { type: "string" as const, oneOf: titled("Option") },
    legacyEnum: {
      type: "string" as const,
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array" as const, items: { type: "string" as const, enum: options } },
    titledMulti: { type: "array" as const, items: { anyOf: titled("Choice") } },
  },
};

function addElicitationTools(server: McpServer): void {
  server.registerTool(
    "test_elicitation",
    { description: "Fixture: elicitation", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) => {
      const reply = await context.mcpReq.elicitInput({ message, requestedSchema: person });
      return text(
        `User response: action=${reply.action}, content=${JSON.stringify(reply.content)}`,
      );
    },
  );
  for (const [name, requestedSchema] of [
    ["test_elicitation_sep1034_defaults", defaults],
    ["test_elicitation_sep1330_enums", enums],
  ] as const) {
    server.registerTool(name, { description: `Fixture: ${name}` }, async (given) => {
      const { mcpReq } = given as ServerContext;
      const reply = await mcpReq.elicitInput({ message: "Please fill in.", requestedSchema });
      return text(
        `Elicitation completed: action=${reply.action}, content=${JSON.stringify(reply.content)}`,
      );
    });
  }
}

const name = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};
const ask = (message: string, requestedSchema: typeof name) =>
  inputRequired.elicit({ message, requestedSchema });

function addDiagnosticTools(server: McpServer, fixture: Fixture): void {
  // Input that the client did not say it can give: the protocol layer must refuse to ask for it.
  server.registerTool("test_missing_capability", { description: "Fixture: sampling" }, async () =>
    inputRequired({
      inputRequests: {
        model: inputRequired.createMessage({
          messages: [{ role: "user", content: { type: "text", text: "Hello?" } }],
          maxTokens: 10,
        }),
      },
    }),
  );
  server.registerTool(
    "test_streaming_elicitation",
    { description: "Fixture: input on a stream" },
    async (given) => {
      const { mcpReq } = given as ServerContext;
      if (inputResponse(mcpReq.inputResponses, "user_name").kind !== "missing")
        return text("Hello.");
      return inputRequired({ inputRequests: { user_name: ask("What is your name?", name) } });
    },
  );
  server.registerTool(
    "test_trigger_tool_change",
    { description: "Fixture: tells of tools" },
    async () => {
      fixture.notify({ kind: "tools" });
      return text("Told.");
    },
  );
  server.registerTool(
    "test_trigger_prompt_change",
    { description: "Fixture: tells of prompts" },
    async () => {
      fixture.notify({ kind: "prompts" });
      return text("Told.");
    },
  );
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Fixture: schema kept as given", inputSchema: fromJsonSchema(SCHEMA_2020) },
    async () => text("ok"),
  );
  server.registerTool(
    "test_custom_headers",
    { description: "Fixture: header parameter", inputSchema: fromJsonSchema(HEADER_SCHEMA) },
    async () => text("ok"),
  );
}

const HEADER_SCHEMA = {
  type: "object" as const,
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
};

const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
