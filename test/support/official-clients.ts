// Both official clients, on every transport of one server in this process.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as OldHttp } from "sdk-v1/client/streamableHttp.js";
import type { Transport as OldTransport } from "sdk-v1/shared/transport.js";
import type { Mcp } from "../../src/mcp/mcp.ts";
import type { Http } from "../../src/transports/http/http.ts";
import {
  type ClientName,
  connect,
  connectOld,
  type TransportName,
  webSocketTransport,
} from "./clients.ts";
import { openTestHttp } from "./http.ts";
import { openStreams, type Streams, streamTransport } from "./stream-transport.ts";

export interface OfficialClients {
  readonly url: string;
  /** Another connection over stdio, by raw lines. */
  openStreams(): Streams;
  open(
    transport: TransportName,
    client: ClientName,
  ): ReturnType<typeof connectOld | typeof connect>;
  close(): Promise<void>;
}

export async function openOfficialClients(mcp: Mcp): Promise<OfficialClients> {
  const http: Http = await openTestHttp(mcp);
  const streams: Streams[] = [];
  const openLines = () => {
    const opened = openStreams(mcp);
    streams.push(opened);
    return opened;
  };
  const wire = (transport: TransportName) =>
    transport === "websocket"
      ? webSocketTransport(`${http.url.replace("http", "ws")}/mcp`)
      : streamTransport(openLines());
  const endpoint = new URL(`${http.url}/mcp`);
  return {
    url: http.url,
    openStreams: openLines,
    open: (transport, client) => {
      const isHttp = transport === "http";
      if (client === "1.x") {
        return connectOld((isHttp ? new OldHttp(endpoint) : wire(transport)) as OldTransport);
      }
      const made = isHttp ? new StreamableHTTPClientTransport(endpoint) : wire(transport);
      return connect(made, client === "2.x, sessions" ? "legacy" : "modern");
    },
    async close() {
      await Promise.all(streams.map((each) => each.close()));
      await http.close();
    },
  };
}
