import { expect, test } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { openToolbox } from "../../../test/support/toolbox.ts";
import type { Principal } from "../../domain/call/principal.ts";
import { openMcp } from "../../mcp/mcp.ts";
import { openMetrics } from "../../observe/metrics.ts";
import { openSessions } from "./sessions.ts";

const person = (name: string): Principal => ({ name, rights: new Set(["read"]) });
const [ann, ben, cat] = [person("ann"), person("ben"), person("cat")];

function openServers() {
  return openMcp(openToolbox(), { version: "1", log: silentLog(), metrics: openMetrics() });
}

function open(total: number, perCaller: number) {
  return openSessions(openServers(), { total, perCaller });
}

test("a caller that has its share of sessions loses its own longest idle one", async () => {
  const sessions = open(10, 2);
  const other = await sessions.open(ben);
  const [first, second, third] = [
    await sessions.open(ann),
    await sessions.open(ann),
    await sessions.open(ann),
  ];
  expect(sessions.find(first?.id ?? "", ann)).toBeUndefined();
  for (const kept of [second, third]) expect(sessions.find(kept?.id ?? "", ann)).toBeDefined();
  expect(sessions.find(other?.id ?? "", ben)).toBeDefined();
  expect(sessions.count()).toBe(3);
  await sessions.closeAll();
});

test("when all places are taken, the principal with the most sessions loses one", async () => {
  const sessions = open(4, 3);
  const first = await sessions.open(ben);
  const many = [await sessions.open(ann), await sessions.open(ann), await sessions.open(ann)];
  expect(await sessions.open(cat)).toBeDefined();
  expect(sessions.find(first?.id ?? "", ben)).toBeDefined();
  expect(many.filter((each) => sessions.find(each?.id ?? "", ann))).toHaveLength(2);
  await sessions.closeAll();
});

test("sessions in use are not ended: the next is refused until one ends", async () => {
  const sessions = open(10, 1);
  const used = await sessions.open(ann);
  used?.channel.attach({ write: () => {}, name: () => {}, end: () => {} });
  expect(await sessions.open(ann)).toBeUndefined();
  await sessions.close(used?.id ?? "");
  expect(await sessions.open(ann)).toBeDefined();
  await sessions.closeAll();
});

test("a session that cannot be opened takes no place", async () => {
  const mcp = openServers();
  let fails = true;
  const createServer: typeof mcp.createServer = (options) => {
    const server = mcp.createServer(options);
    if (fails) server.connect = () => Promise.reject(new Error("no connection"));
    return server;
  };
  const sessions = openSessions({ ...mcp, createServer }, { total: 1, perCaller: 1 });
  await expect(sessions.open(ann)).rejects.toThrow("no connection");
  fails = false;
  expect(await sessions.open(ann)).toBeDefined();
  await sessions.closeAll();
});
