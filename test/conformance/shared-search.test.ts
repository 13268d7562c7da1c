// Searches that are sent to a running server of the same knowledge base, and the fallbacks if that fails.
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Passage } from "../../src/domain/passage.ts";
import type { Search, SearchRequest } from "../../src/search/search.ts";
import { thisHost } from "../../src/search/share/address.ts";
import { greetingOf, type Identity } from "../../src/search/share/messages.ts";
import { type SharedService, serveSearches } from "../../src/search/share/serve-searches.ts";
import { openSharedSearch } from "../../src/search/share/shared-search.ts";
import { eventually } from "../support/eventually.ts";
import { silentLog as openSilentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const silentLog = openSilentLog();
const QUERY: SearchRequest = { text: "parental leave", limit: 5 };
/** For what never answers; everything else may take as long as a loaded machine needs. */
const WAITS = { greetingMs: 300, outcomeMs: 300, pauseMs: 60_000 };
const PATIENT = { ...WAITS, greetingMs: 60_000, outcomeMs: 60_000 };

/** A search whose results say where they were made. */
function searchAt(place: string, asked: SearchRequest[] = []): Search {
  return {
    async search(request) {
      asked.push(request);
      return { mode: "hybrid", passages: [passageOf(place)] };
    },
  };
}

const passageOf = (documentId: string): Passage => ({
  documentId,
  chunkId: "c",
  filename: "a.txt",
  format: "txt",
  dateAdded: "2026-01-01T00:00:00.000Z",
  text: "16 weeks",
  start: 0,
  end: 8,
  ordinal: 0,
  place: { page: 1 },
  headings: ["Leave"],
  metadata: { tags: ["hr"] },
  score: 0.9,
  strength: "strong",
  parts: { lexical: 0.5 },
});

describe.skipIf(process.platform === "win32")("a search", () => {
  let dataDir: string;
  let identity: Identity;
  const open: { close(): unknown }[] = [];
  beforeEach(() => {
    dataDir = tempFolder("share");
    writeFileSync(join(dataDir, "knowledge.db"), "");
    identity = { version: "1.0.0", dataDir, settings: { embedUrl: undefined } };
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  const socket = () => join(dataDir, "search.sock");
  const serve = async (
    change: Partial<Identity> = {},
    asked: SearchRequest[] = [],
  ): Promise<SharedService> => {
    const search = async () => searchAt("server", asked);
    const service = await serveSearches({
      identity: { ...identity, ...change },
      search,
      log: silentLog,
    });
    open.push(service);
    return service;
  };
  const ask = async ({ host = thisHost(), waits = PATIENT } = {}) => {
    const local = async () => searchAt("here");
    const shared = openSharedSearch({ identity, local, log: silentLog, host, waits });
    return (await shared.search(QUERY)).passages[0]?.documentId;
  };
  /** A fake server at the server's address with arbitrary responses. */
  const pretend = (say: (socket: Socket) => void): Promise<Server> => {
    const sockets = new Set<Socket>();
    const server = createServer((each) => {
      sockets.add(each);
      each.on("error", () => {});
      say(each);
    });
    open.push({
      close: () => {
        for (const each of sockets) each.destroy();
        return new Promise((done) => server.close(done));
      },
    });
    return new Promise((resolve) => {
      server.listen(socket(), () => {
        chmodSync(socket(), 0o600);
        resolve(server);
      });
    });
  };

  test("is run by a running server, with the complete request and result", async () => {
    const asked: SearchRequest[] = [];
    await serve({}, asked);
    const request: SearchRequest = { ...QUERY, minScore: 0.2, filter: { filenames: ["a.txt"] } };
    const shared = openSharedSearch({
      identity,
      local: async () => searchAt("here"),
      log: silentLog,
      waits: PATIENT,
    });
    const { passages, mode } = await shared.search(request);
    expect(mode).toBe("hybrid");
    expect(passages).toEqual([passageOf("server")]);
    expect(asked).toEqual([request]);
  });

  test("is run here without a server, and after the server stopped", async () => {
    expect(await ask()).toBe("here");
    const service = await serve();
    expect(await ask()).toBe("server");
    await service.close();
    expect(existsSync(socket())).toBe(false);
    expect(await ask()).toBe("here");
  });

  test("is run here if a killed server left its socket, which the next server replaces", async () => {
    const dead = await pretend(() => {});
    renameSync(socket(), `${socket()}.kept`);
    await new Promise((done) => dead.close(done));
    renameSync(`${socket()}.kept`, socket());
    expect(await ask()).toBe("here");
    await serve();
    expect(await ask()).toBe("server");
  });

  test("is run by whichever process serves, and another takes over when that one ends", async () => {
    const openAt = (place: string) => {
      const local = async () => searchAt(place);
      const shared = openSharedSearch({ identity, local, log: silentLog, waits: PATIENT });
      open.push(shared);
      return shared;
    };
    const placeOf = async (shared: Search) => (await shared.search(QUERY)).passages[0]?.documentId;
    const [first, second] = [openAt("first"), openAt("second")];
    expect(await first.serve()).toBe(true);
    expect(await second.serve()).toBe(false);
    expect(await placeOf(first)).toBe("first");
    expect(await placeOf(second)).toBe("first");
    expect(await ask()).toBe("first");
    await first.close();
    expect(await placeOf(second)).toBe("second");
    await eventually(async () => expect(await ask()).toBe("second"));
  });

  test.each([
    ["version", { version: "1.0.1" }],
    ["model", { settings: { embedUrl: "http://127.0.0.1:1/v1" } }],
    ["knowledge base", { settings: { databaseBase: "other" } }],
  ])("is done here when the server has another %s", async (_, change) => {
    await serve(change);
    expect(await ask()).toBe("here");
  });

  test("is run here if the server still serves the previous database", async () => {
    const greeting = greetingOf(identity);
    await pretend((each) => void each.write(`${greeting}\n`));
    // Both exist for a moment, so that the new file cannot get the old one's number.
    writeFileSync(join(dataDir, "other"), "");
    renameSync(join(dataDir, "other"), join(dataDir, "knowledge.db"));
    expect(greetingOf(identity)).not.toBe(greeting);
    expect(await ask()).toBe("here");
  });

  test.each<[string, (socket: Socket, greeting: string) => void]>([
    ["says nothing", () => {}],
    ["closes at once", (each) => each.destroy()],
    ["greets and hangs", (each, greeting) => void each.write(greeting)],
    ["greets and closes", (each, greeting) => each.end(greeting)],
    ["sends no JSON", (each, greeting) => each.end(`${greeting}<html>\n`)],
    ["sends too many results", (each, greeting) => each.end(`${greeting}${manyResults(6)}\n`)],
    ["sends results of another shape", (each, greeting) => each.end(`${greeting}${badResult()}\n`)],
    ["sends a line without end", (each, greeting) => flood(each, greeting)],
  ])("is done here when what listens %s", async (_, say) => {
    await pretend((each) => say(each, `${greetingOf(identity)}\n`));
    expect(await ask({ waits: WAITS })).toBe("here");
  });

  test("does not wait a second time for a server that hung", async () => {
    const connections: Socket[] = [];
    await pretend((each) => void connections.push(each));
    const shared = openSharedSearch({
      identity,
      local: async () => searchAt("here"),
      log: silentLog,
      waits: WAITS,
    });
    await shared.search(QUERY);
    await shared.search(QUERY);
    expect(connections).toHaveLength(1);
  });

  test("is not sent to a socket of another user or with open permissions", async () => {
    await serve();
    const { user = 0, platform } = thisHost();
    expect(await ask({ host: { platform, user: user + 1 } })).toBe("here");
    chmodSync(socket(), 0o660);
    expect(await ask()).toBe("here");
    chmodSync(socket(), 0o600);
    expect(await ask()).toBe("server");
  });

  test("that is cancelled stops the server's work", async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const search: Search = {
      search: (_, signal) => {
        signal?.addEventListener("abort", () => resolve());
        begin();
        return new Promise(() => {});
      },
    };
    open.push(await serveSearches({ identity, search: async () => search, log: silentLog }));
    const stop = new AbortController();
    const shared = openSharedSearch({
      identity,
      local: async () => searchAt("here"),
      log: silentLog,
      waits: PATIENT,
    });
    const asked = shared.search(QUERY, stop.signal);
    await begun;
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
    await stopped;
  });

  test("finds a socket that only its owner can use; a second server does not take its place", async () => {
    await serve();
    const { ino, mode } = lstatSync(socket());
    expect(mode & 0o777).toBe(0o600);
    await serve();
    expect(lstatSync(socket()).ino).toBe(ino);
  });

  test("is run here if the folder's path is too long for a socket", async () => {
    const deep = join(dataDir, "x".repeat(100));
    mkdirSync(deep);
    const far = { ...identity, dataDir: deep };
    await serve({ dataDir: deep });
    const shared = openSharedSearch({
      identity: far,
      local: async () => searchAt("here"),
      log: silentLog,
    });
    expect((await shared.search(QUERY)).passages[0]?.documentId).toBe("here");
  });

  test("that is not a valid request only ends its connection", async () => {
    await serve();
    for (const line of ["nonsense\n", '{"text":1}\n', `${"x".repeat(100_000)}`]) {
      const each = connect(socket());
      each.on("error", () => {});
      each.resume();
      each.write(line);
      await new Promise((done) => each.on("close", done));
    }
    expect(await ask()).toBe("server");
  });
});

// As many as a server accepts, so one more is only served once they are gone.
describe.skipIf(process.platform === "win32")("64 clients", () => {
  const long: Passage = { ...passageOf("server"), text: "x".repeat(4_000_000) };
  const CLIENTS: Readonly<Record<string, (socket: Socket) => void>> = {
    "say nothing": () => {},
    "send a byte now and then": (each) => {
      const timer = setInterval(() => void each.write("x"), 20);
      each.on("close", () => clearInterval(timer));
      each.resume();
    },
    "send what has no end": (each) => flood(each, ""),
    "ask and read nothing": (each) => void each.pause().write(`${JSON.stringify(QUERY)}\n`),
    "ask and close their side": (each) => void each.pause().end(`${JSON.stringify(QUERY)}\n`),
  };

  test.each(Object.entries(CLIENTS))("that %s do not keep others out", async (_, behave) => {
    const dataDir = tempFolder("share");
    const identity: Identity = { version: "1.0.0", dataDir, settings: {} };
    const search: Search = { search: async () => ({ mode: "hybrid", passages: [long] }) };
    const options = { identity, search: async () => search, log: silentLog, silentMs: 500 };
    const service = await serveSearches(options);
    const clients = Array.from({ length: 64 }, () => connect(join(dataDir, "search.sock")));
    for (const each of clients) {
      each.on("error", () => {});
      behave(each);
    }
    const local = async () => searchAt("here");
    await eventually(async () => {
      const shared = openSharedSearch({ identity, local, log: silentLog, waits: PATIENT });
      expect((await shared.search(QUERY)).passages[0]?.documentId).toBe("server");
    });
    for (const each of clients) each.destroy();
    await service.close();
  });

  test.each(["search.sock", `search.sock.${process.pid}`])(
    "a folder at %s stops no server",
    async (name) => {
      const dataDir = tempFolder("share");
      mkdirSync(join(dataDir, name));
      const identity: Identity = { version: "1.0.0", dataDir, settings: {} };
      const search = async () => searchAt("server");
      await (await serveSearches({ identity, search, log: silentLog })).close();
    },
  );
});

const manyResults = (count: number) =>
  JSON.stringify({ mode: "hybrid", passages: Array.from({ length: count }, () => passageOf("x")) });

const badResult = () =>
  JSON.stringify({ mode: "hybrid", passages: [{ ...passageOf("x"), text: { toString: 1 } }] });

function flood(socket: Socket, greeting: string): void {
  socket.write(greeting);
  const more = () => {
    while (!socket.destroyed && socket.write("x".repeat(1 << 20)));
  };
  socket.on("drain", more);
  more();
}
