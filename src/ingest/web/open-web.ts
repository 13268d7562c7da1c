// The real network, for a server that may fetch pages.
import { lookup } from "node:dns/promises";
import { dialDirectly, type Web } from "./fetch-page.ts";

// Long enough for a large file over a slow connection.
const TIMEOUT_MS = 60_000;

export function openWeb(): Web {
  return {
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    dial: dialDirectly,
    timeoutMs: TIMEOUT_MS,
    userAgent: "knowledge-server",
  };
}
