// A document's metadata and title: what its earlier versions, the file and the caller of the add contribute.
import type { ExtractedDocument, Metadata, StoredDocument } from "../../domain/document.ts";
import {
  contentFacts,
  givenMetadata,
  markFromFile,
  nextRevision,
  pageMetadata,
} from "../../domain/internal-metadata.ts";
import { fittingMetadata, mergeMetadata, withFileMetadata } from "../../domain/metadata.ts";
import type { AddRequest } from "../../domain/task.ts";

interface Predecessors {
  /** The stored document with the same content. */
  readonly again: StoredDocument | undefined;
  /** The stored document from the same path, with different content. */
  readonly changed: StoredDocument | undefined;
}

/** Metadata given with an earlier add is kept unless it is given again; the file's own metadata is read again. */
export function describeDocument(
  request: AddRequest,
  file: Metadata,
  { again, changed }: Predecessors,
) {
  const before = again ?? changed;
  const given = mergeMetadata(before ? givenMetadata(before.metadata) : {}, request.metadata);
  const both = withFileMetadata(file, given);
  // Which values came from the file is not recorded if that would exceed the size limits of metadata.
  const described =
    both === given ? given : (fittingMetadata({ ...both, ...markFromFile(file, given) }) ?? both);
  const own = {
    ...(again ? contentFacts(again.metadata) : {}),
    ...(changed ? nextRevision(changed.metadata) : {}),
    ...pageMetadata(request.page),
  };
  return { described, own };
}

/** A title given with the add takes precedence over the one in the file. */
export function titleOf(described: Metadata, { title }: ExtractedDocument) {
  return { ...(title === undefined ? {} : { title }), ...titleIn(described) };
}

export function titleIn({ title }: Metadata) {
  return typeof title === "string" && title.trim() !== "" ? { title } : {};
}
