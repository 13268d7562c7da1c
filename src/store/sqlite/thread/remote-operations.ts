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

/** The shared suite calls each of them. */
const OPERATIONS: Readonly<Record<keyof Repositories, Readonly<Record<Role, string>>>> = {
  tasks: {
    read: "get list counts setAside",
    write: "enqueue claim claimById renew complete fail release expire cancel prune",
  },
  documents: {
    read: `get findByHash findByPath knownKeys list withHidden shownMost extracted whole totals chunks
      chunksOf stale hasVectorsOf`,
    // `unreferenced`, so that it sees what was just written.
    write: "put adopt remove clear move reindex countShown unreferenced",
  },
  refinements: { read: "waiting holders", write: "claim storeVectors release" },
  scopes: { read: "version list chain all", write: "apply" },
  sources: { read: "list due items", write: "put change remove begin end record restore" },
};

interface Threads {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
}

export function openRemoteOperations({ reader, writer }: Threads): Repositories {
  const threads = { read: reader, write: writer } as unknown as Record<Role, Calls<Methods>>;
  const repositories = Object.entries(OPERATIONS).map(([name, operations]) => {
    const methods = Object.entries(operations).flatMap(([role, list]) =>
      list.split(/\s+/).map((method) => {
        const send = (...args: unknown[]) => threads[role as Role].call(`${name}.${method}`, args);
        return [method, send] as const;
      }),
    );
    return [name, Object.fromEntries(methods)];
  });
  return Object.fromEntries(repositories) as unknown as Repositories;
}
