import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { eventually } from "../../test/support/eventually.ts";
import { takeTurns } from "./websocket.ts";

const MESSAGES = 400;
const UNREAD = 60;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Serve = (server: WebSocket) => (data: Buffer) => void;

/** Real sockets on this machine; each client is connected when this returns. */
async function open(clients: number, serve: Serve): Promise<readonly WebSocket[]> {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket: Duplex, head) => {
    sockets.handleUpgrade(request, socket, head, (server) => {
      takeTurns(server, socket, serve(server));
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const opened = Array.from({ length: clients }, () => new WebSocket(`ws://127.0.0.1:${port}`));
  closing.push(() => {
    for (const socket of [...opened, ...sockets.clients]) socket.terminate();
    http.close();
  });
  await Promise.all(opened.map((client) => once(client, "open")));
  return opened;
}

test("each connection gets one message per turn, in order, and all of them", async () => {
  let turn = 0;
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; turn += 1) await nextTurn();
  })();
  const taken = new Map<WebSocket, { readonly turn: number; readonly text: string }[]>();
  const clients = await open(3, (server) => {
    taken.set(server, []);
    return (data) => taken.get(server)?.push({ turn, text: String(data) });
  });
  for (const client of clients) {
    for (let number = 0; number < MESSAGES; number++) client.send(String(number));
  }
  const all = () => [...taken.values()];
  await eventually(() => expect(all().map((each) => each.length)).toEqual([400, 400, 400]));
  isOver = true;
  await turns;
  for (const messages of all()) {
    expect(messages.map(({ text }) => Number(text))).toEqual(messages.map((_, at) => at));
    // One turn of this test's loop may see the end of one turn and the beginning of the next.
    for (const [at, each] of messages.entries()) {
      expect(messages[at + 2]?.turn ?? Number.POSITIVE_INFINITY).toBeGreaterThan(each.turn);
    }
  }
});

test("a client that does not read gets no more responses until it does", async () => {
  const response = "x".repeat(2 * 1024 * 1024);
  const count = { served: 0, received: 0 };
  const clients = await open(1, (server) => () => {
    count.served += 1;
    server.send(response);
  });
  const [client] = clients as [WebSocket];
  client.pause();
  for (let number = 0; number < UNREAD; number++) client.send("more");
  await eventually(() => expect(count.served).toBeGreaterThan(0));
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  // As many as the operating system buffers for both sides, and one that waits.
  expect(count.served).toBeLessThan(20);
  client.on("message", () => {
    count.received += 1;
  });
  client.resume();
  await eventually(() => expect(count.received).toBe(UNREAD));
});

test("a message that comes after unread responses waits until they are read", async () => {
  const count = { served: 0, received: 0 };
  let isFull = () => false;
  const clients = await open(1, (server) => {
    isFull = () => server.bufferedAmount > 2 * 1024 * 1024;
    return () => {
      count.served += 1;
      // Responded to when no other message waits.
      void nextTurn()
        .then(() => nextTurn())
        .then(() => server.send("x".repeat(40 * 1024 * 1024)));
    };
  });
  const [client] = clients as [WebSocket];
  client.pause();
  client.send("first");
  await eventually(() => expect(isFull()).toBe(true));
  client.send("second");
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  expect(count.served).toBe(1);
  client.on("message", () => {
    count.received += 1;
  });
  client.resume();
  await eventually(() => expect(count.received).toBe(2));
});

test("what waits is dropped when the connection ends", async () => {
  const served: string[] = [];
  const clients = await open(1, (server) => (data) => {
    served.push(String(data));
    server.terminate();
  });
  const [client] = clients as [WebSocket];
  for (let number = 0; number < MESSAGES; number++) client.send(String(number));
  await once(client, "close");
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  // Closing is noticed within a few turns.
  expect(served.length).toBeLessThan(10);
});
