// Documents on their way out, and back in: with what is needed to be the same documents again.
import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { Metadata } from "../../domain/document.ts";
import { givenMetadata, readInternalMetadata } from "../../domain/internal-metadata.ts";
import { fromTaskFailure } from "../../domain/task.ts";
import type { CallContext } from "../tool.ts";
import { writable } from "./respond-to-add.ts";
import { type DocumentRooms, scopeOf, seenBy } from "./tool.ts";

/** What a document is beside its bytes. */
export interface PortableDocument {
  readonly filename: string;
  readonly scope: string;
  readonly contentHash: string;
  /** Where it came from. */
  readonly path?: string;
  /** The source's own date. */
  readonly modified?: string;
  /** What people and sources said about it; what its own text says is read again. */
  readonly metadata: Metadata;
}

export interface ExportedRow extends PortableDocument {
  readonly documentId: string;
  readonly title?: string;
  readonly dateAdded: string;
}

export interface ExportPage {
  readonly scope?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

const OLDEST_FIRST = { sortBy: "date_added", sortOrder: "asc" } as const;

export async function exportRows(
  rooms: DocumentRooms,
  { scope, ...page }: ExportPage,
): Promise<readonly ExportedRow[]> {
  const { documents } = await rooms.store();
  const scopes = scope === undefined ? {} : { scopes: [scope] };
  const found = await documents.list({ ...page, ...scopes, ...OLDEST_FIRST });
  return found.documents.map((document) => {
    const { id, filename, title, sourcePath, dateAdded, contentHash, metadata } = document;
    return {
      ...{ documentId: id, filename, scope: scopeOf(document), contentHash, dateAdded },
      ...defined({ title, path: sourcePath, modified: readInternalMetadata(metadata).modified }),
      metadata: givenMetadata(metadata),
    };
  });
}

export interface ImportedDocument extends PortableDocument {
  readonly body: Readable;
  /** Set by access control. */
  readonly caller?: string;
}

export async function importDocument(
  all: DocumentRooms,
  who: Pick<CallContext, "principal">,
  { body, caller, ...given }: ImportedDocument,
  signal: AbortSignal,
): Promise<"added" | "unchanged"> {
  const scope = await writable(all, who, given.scope === GENERAL_SCOPE ? undefined : given.scope);
  const rooms = await seenBy(all, who);
  if (await isHere(rooms, given)) {
    body.destroy();
    return "unchanged";
  }
  const { filename, path: sourcePath, modified, metadata } = given;
  const ingest = await rooms.ingest();
  const upload = { kind: "upload", filename, bytes: body } as const;
  const { task } = await ingest.enqueue(
    { ...upload, ...defined({ sourcePath, modified }) },
    { metadata, forceOcr: false, signal, ...scope, ...defined({ caller }) },
  );
  const { failure } = await ingest.finish(task.id, { signal });
  if (failure) throw fromTaskFailure(failure);
  return "added";
}

async function isHere(rooms: DocumentRooms, given: PortableDocument): Promise<boolean> {
  const { documents } = await rooms.store();
  const { path, scope, contentHash } = given;
  const here =
    path === undefined
      ? await documents.findByHash(contentHash, scope)
      : await documents.findByPath(path, scope);
  return (
    here?.contentHash === contentHash &&
    here.filename === given.filename &&
    readInternalMetadata(here.metadata).modified === given.modified &&
    isDeepStrictEqual(givenMetadata(here.metadata), given.metadata)
  );
}
