// What the calls are measured against, each as small as it can be. Run with the yardstick's name as argument.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const YARDSTICKS: Readonly<Record<string, () => Promise<void>>> = {
  /** The SDK's own way to a stdio server with one tool. */
  async sdk() {
    const { McpServer } = await import("@modelcontextprotocol/server");
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const { z } = await import("zod");
    serveStdio(() => {
      const server = new McpServer({ name: "echo", version: "1.0.0" });
      const inputSchema = z.object({ text: z.string().optional() });
      server.registerTool("echo", { description: "Echo", inputSchema }, async ({ text = "" }) => ({
        content: [{ type: "text", text }],
      }));
      return server;
    });
  },
  /** JSON in, JSON out, on bare node:http. */
  async http() {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const { id, params } = JSON.parse(Buffer.concat(parts).toString()) as Record<
          string,
          unknown
        >;
        const text = JSON.stringify({ jsonrpc: "2.0", id, result: params });
        response.writeHead(200, {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
      });
    });
    server.listen(0, "127.0.0.1", () => {
      const address = server.address() as { port: number };
      process.stderr.write(`MCP: http://127.0.0.1:${address.port}/mcp\n`);
    });
  },
  /** Ten megabytes of content, written as a line of JSON for each line read. */
  async content() {
    const { readFile } = await import("node:fs/promises");
    const content = await readFile(process.argv[3] ?? "", "utf8");
    for await (const line of createInterface({ input: process.stdin })) {
      const { id } = JSON.parse(line) as { id: number };
      const text = JSON.stringify({ status: "ok", contentLength: content.length, content });
      const result = { content: [{ type: "text", text }] };
      process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    }
  },
};

await YARDSTICKS[process.argv[2] ?? ""]?.();
