// The caller's side of the operations: each is sent by its name to the thread that reads or the one that writes, where
// the same operation runs on the connection.
import type { DocumentRepository } from "../../documents/documents.ts";
import type { ScopeRepository } from "../../scopes/scopes.ts";
import type { RefinementStore, SourceStore } from "../../store.ts";
import type { TaskRepository } from "../../tasks.ts";
import type { Role } from "./connection.ts";
import type { Reader } from "./reader.ts";
import type { Calls, Methods } from "./thread-rpc.ts";
import type { Writer } from "./writer.ts";

interface Repositories {
  readonly tasks: TaskRepository;
  readonly documents: DocumentRepository;
  readonly refinements: RefinementStore;
  readonly scopes: ScopeRepository;
  readonly sources: SourceStore;
}

type Roles = {
  readonly [Name in keyof Repositories]: {
    readonly [Method in keyof Repositories[Name] & string]: Role;
  };
};

const ROLES: Roles = {
  tasks: {
    enqueue: "write",
    claim: "write",
    claimById: "write",
    renew: "write",
    complete: "write",
    fail: "write",
    release: "write",
    expire: "write",
    cancel: "write",
    prune: "write",
    get: "read",
    list: "read",
    counts: "read",
    setAside: "read",
  },
  documents: {
    get: "read",
    findByHash: "read",
    findByPath: "read",
    knownKeys: "read",
    list: "read",
    withHidden: "read",
    shownMost: "read",
    countShown: "write",
    extracted: "read",
    whole: "read",
    totals: "read",
    chunks: "read",
    chunksOf: "read",
    stale: "read",
    hasVectorsOf: "read",
    // By the writer, so that it sees what was just written.
    unreferenced: "write",
    put: "write",
    adopt: "write",
    remove: "write",
    clear: "write",
    move: "write",
    reindex: "write",
  },
  refinements: {
    waiting: "read",
    holders: "read",
    claim: "write",
    storeVectors: "write",
    release: "write",
  },
  scopes: {
    version: "read",
    list: "read",
    chain: "read",
    all: "read",
    apply: "write",
  },
  sources: {
    list: "read",
    due: "read",
    items: "read",
    put: "write",
    change: "write",
    remove: "write",
    begin: "write",
    end: "write",
    record: "write",
    restore: "write",
  },
};

interface Threads {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
}

export function openRemote({ reader, writer }: Threads): Repositories {
  const threads = { read: reader, write: writer } as unknown as Record<Role, Calls<Methods>>;
  const repositories = Object.entries(ROLES).map(([name, roles]) => {
    const methods = Object.entries<Role>(roles).map(([method, role]) => {
      const send = (...args: unknown[]) => threads[role].call(`${name}.${method}`, args);
      return [method, send];
    });
    return [name, Object.fromEntries(methods)];
  });
  return Object.fromEntries(repositories) as Repositories;
}
