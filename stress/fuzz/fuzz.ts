// npm run fuzz [-- --count 100000 --seconds 600 --seed 1]: the protocol under bad input, over each transport.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { PROGRAM } from "../../test/support/shipped.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { httpPeer, type Peer, stdioPeer, webSocketPeer } from "./peers.ts";
import { type FuzzRun, readRun } from "./run.ts";
import { type FuzzReport, runFuzz } from "./run-fuzz.ts";

export const TRANSPORTS = ["stdio", "http", "websocket"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Rejects if the server dies before it is asked to stop, or logs an unhandled rejection. */
export async function fuzzTransport(transport: Transport, run: FuzzRun): Promise<FuzzReport> {
  const dataDir = tempFolder("fuzz");
  const args = transport === "stdio" ? [] : ["http", "--port", "0"];
  const flags = ["--data-dir", dataDir, "--root", dataDir, "--log-level", "error"];
  const child = spawn(process.execPath, [PROGRAM, ...args, ...flags], { cwd: dataDir });
  let log = "";
  child.stderr.on("data", (part) => {
    log = (log + part).slice(-200_000);
  });
  const died = once(child, "exit").then(([code]) => code as number | null);
  try {
    const dead = died.then((code) => {
      throw new Error(`the server ended with ${code}\n${log.slice(-2_000)}`);
    });
    const peer = await Promise.race([connect(transport, child, () => log), dead]);
    const report = await Promise.race([runFuzz({ peer, pid: child.pid ?? 0, ...run }), dead]);
    died.catch(() => {});
    dead.catch(() => {});
    await peer.close();
    child.kill("SIGTERM");
    const code = await died;
    if (code !== 0) throw new Error(`the server ended with ${code}\n${log.slice(-2_000)}`);
    // Refusals are not logged as errors: anything that is was not expected.
    if (/unhandled|"level":"error"/i.test(log)) throw new Error(`unforeseen\n${log.slice(-2_000)}`);
    return report;
  } finally {
    child.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function connect(
  transport: Transport,
  child: ReturnType<typeof spawn> & Parameters<typeof stdioPeer>[0],
  log: () => string,
): Promise<Peer> {
  if (transport === "stdio") return stdioPeer(child);
  const address = await listening(log);
  return transport === "http" ? httpPeer(address) : webSocketPeer(address.replace("http", "ws"));
}

async function listening(log: () => string): Promise<string> {
  for (let tries = 0; tries < 1_800; tries += 1) {
    const found = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(log())?.[0];
    if (found !== undefined) return `${found}/mcp`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server did not start\n${log().slice(-2_000)}`);
}

if (import.meta.main) {
  const { run, isSelected } = readRun({ count: 100_000, seconds: 600 }, "transport");
  for (const transport of TRANSPORTS.filter(isSelected)) {
    const report = await fuzzTransport(transport, run);
    process.stdout.write(`${JSON.stringify({ transport, seed: run.seed, ...report })}\n`);
    if (report.unanswered.length > 0) process.exitCode = 1;
  }
}
