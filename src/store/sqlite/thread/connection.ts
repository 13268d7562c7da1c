// One connection in one role, and its methods.
import { isSameBase, openDatabase } from "../database.ts";
import { toStoreError } from "../failures.ts";
import type { KnownId } from "../folder/known-id.ts";
import { openReader } from "./reader.ts";
import { openWriter } from "./writer.ts";

export type Role = "read" | "write";

export interface ConnectionOptions {
  readonly role: Role;
  readonly dataDir: string;
  /** The id of the store that this connection belongs to. */
  readonly run: string;
  readonly known: KnownId;
  readonly pulse?: Int32Array;
}

export interface Connection {
  /** Opens the database if needed. Throws errors of the catalogue. */
  serve(method: string, args: readonly unknown[]): unknown;
  close(): void;
}

export function openConnection({ role, dataDir, ...rest }: ConnectionOptions): Connection {
  const open = () => {
    const database = openDatabase(dataDir, rest);
    const methods = role === "read" ? openReader(database) : openWriter(database, rest.run);
    return { database, methods: methods as Record<string, (...args: unknown[]) => unknown> };
  };
  let opened: ReturnType<typeof open> | undefined;
  const close = () => {
    opened?.database.close();
    opened = undefined;
  };
  const serve = (method: string, args: readonly unknown[]) => {
    // A read-only connection is reopened, because there may be space or permission by now.
    if (opened?.database.readOnly && (role === "write" || method === "status")) close();
    // If a restored copy of the same knowledge base is at the path, it is opened. Otherwise the old file
    // keeps serving searches and refuses writes.
    if (opened && isSameBase(dataDir, opened.database)) close();
    if (opened?.database.isOutdated()) close();
    // The next call tries again to open, because the disk may be back.
    opened ??= open();
    return opened.methods[method]?.(...args);
  };
  return {
    close,
    serve(method, args) {
      try {
        return serve(method, args);
      } catch (thrown) {
        throw toStoreError(thrown);
      }
    },
  };
}
