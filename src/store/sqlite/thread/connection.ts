// One connection in one role, and its methods.
import type { Sight } from "../../../domain/call/sight.ts";
import type { KnowledgeError } from "../../../domain/errors.ts";
import type { Engine } from "../../sql.ts";
import { mayWrite } from "../connect.ts";
import { type Database, isSameBase, openDatabase } from "../database.ts";
import { openEngine } from "../engine.ts";
import { lostLog, readOnly, reopenError, toStoreError } from "../failures.ts";
import type { SharedByThreads } from "../folder/shared-by-threads.ts";
import { openOperations } from "./operations.ts";
import { openReader } from "./reader.ts";
import { openWriter } from "./writer.ts";

export type Role = "read" | "write";

export interface ConnectionOptions {
  readonly role: Role;
  readonly dataDir: string;
  readonly shared: SharedByThreads;
}

export interface Connection {
  /** Opens the database if needed. Throws errors of the catalogue. */
  serve(method: string, args: readonly unknown[], sight?: Sight): Promise<unknown>;
  close(): void;
}

export function openConnection({ role, dataDir, ...rest }: ConnectionOptions): Connection {
  const open = () => {
    const database = openDatabase(dataDir, rest);
    const engine = openEngine(database);
    const own = role === "read" ? openReader(database) : openWriter(database);
    const methodsOn = (seen: Engine) =>
      ({ ...own(seen), ...named(openOperations(database, seen)) }) as Methods;
    const methods = methodsOn(engine);
    return {
      database,
      methodsFor: (sight?: Sight) => (sight ? methodsOn(engine.seenBy(sight)) : methods),
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  const close = () => {
    opened?.database.close();
    opened = undefined;
  };
  return {
    close,
    async serve(method, args, sight) {
      try {
        const mustWrite = role === "write" || method === "status";
        if (opened && isStale(opened.database, dataDir, mustWrite)) close();
        if (opened?.database.log.isLost()) throw lostLog();
        // If opening fails, the next call tries again, because the disk may be back.
        opened ??= open();
        // It has become writable since.
        if (opened.database.readOnly && mustWrite && mayWrite(dataDir))
          throw reopenError((readOnly() as KnowledgeError).message);
        return await opened.methodsFor(sight)[method]?.(...args);
      } catch (thrown) {
        throw toStoreError(thrown);
      }
    },
  };
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The operations by the names under which they are called: `tasks.claim`. */
function named(repositories: Readonly<Record<string, object>>): object {
  const entries = Object.entries(repositories).flatMap(([name, repository]) =>
    Object.entries(repository).map(([method, run]) => [`${name}.${method}`, run]),
  );
  return Object.fromEntries(entries);
}

function isStale(database: Database, dataDir: string, mustWrite: boolean): boolean {
  // There may be space or permission by now, so try to open it for writing.
  if (database.readOnly && mustWrite) return true;
  // If a restored copy of the same knowledge base is at the path, it is opened. Otherwise the old file
  // keeps serving searches and refuses writes.
  if (database.isReplaced() && isSameBase(dataDir, database)) return true;
  return database.isOutdated?.() ?? false;
}
