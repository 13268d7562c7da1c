// A bucket of S3: the objects below a prefix, by their ETag. Beside an object may be its metadata, as a knowledge base
// of Amazon Bedrock reads it: `report.pdf` and `report.pdf.metadata.json`.
import type { Metadata } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toFileMetadata } from "../../domain/metadata.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { collect } from "../../files/collect.ts";
import { isBucketName, openBucket, type S3Bucket, type S3Object } from "../../files/s3.ts";
import {
  type Found,
  isDocument,
  type Listing,
  MAX_ITEMS,
  type SourceKind,
  type SourceParts,
  tooMany,
} from "./kind.ts";
import { openPatterns } from "./patterns.ts";

export const s3: SourceKind = { list, listsAll: true };

const ADDRESS = /^s3:\/\/([^/?#]+)(?:\/(.*))?$/s;
const SIDECAR = ".metadata.json";
/** Bedrock takes at most 10 KB. */
const MAX_SIDECAR_BYTES = 64 * 1024;

/** The address as it is stored; undefined if it is none. */
export function toS3Address(given: string): string | undefined {
  const [, bucket = "", prefix = ""] = ADDRESS.exec(given) ?? [];
  return isBucketName(bucket) ? `s3://${bucket}/${prefix}` : undefined;
}

async function* list(listing: Listing, parts: SourceParts): AsyncGenerator<Found> {
  const { source, signal } = listing;
  const [, name = "", prefix = ""] = ADDRESS.exec(source.address) ?? [];
  const bucket = openBucket(name, parts.s3);
  const most = source.settings.maxItems ?? MAX_ITEMS;
  const { objects, sidecars } = await listWanted(bucket, { listing, prefix, most });
  for (const object of objects.slice(0, most)) {
    const sidecar = sidecars.get(object.key + SIDECAR);
    const version = JSON.stringify([versionOf(object), ...(sidecar ? [versionOf(sidecar)] : [])]);
    const before = listing.known.get(object.key);
    const isSame = version === before?.version && !before.isMissing;
    const metadata = isSame ? {} : await readSidecar(bucket, sidecar, signal);
    const take = (stop: AbortSignal) => fetchObject(object, { bucket, name, parts }, stop);
    yield { kind: "item", item: object.key, version, metadata, take };
  }
  if (objects.length > most) yield tooMany(most);
}

interface Wanted {
  readonly listing: Listing;
  readonly prefix: string;
  readonly most: number;
}

/** One object more than allowed shows that there are more. */
async function listWanted(bucket: S3Bucket, { listing, prefix, most }: Wanted) {
  const { source, signal } = listing;
  const isWanted = openPatterns(source.settings);
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const objects: S3Object[] = [];
  const sidecars = new Map<string, S3Object>();
  for await (const object of bucket.list(prefix, signal)) {
    const path = object.key.slice(folder.length);
    if (object.key.endsWith(SIDECAR)) sidecars.set(object.key, object);
    else if (isDocument(path, object.sizeBytes) && isWanted(path)) objects.push(object);
    if (objects.length > most) break;
  }
  return { objects, sidecars };
}

function versionOf({ etag, modified, sizeBytes }: S3Object): string {
  return etag ?? `${modified} ${sizeBytes}`;
}

interface From {
  readonly bucket: S3Bucket;
  readonly name: string;
  readonly parts: SourceParts;
}

async function fetchObject({ key }: S3Object, { bucket, name, parts }: From, stop: AbortSignal) {
  const content = await bucket.get(key, parts.maxFileBytes, stop);
  if (content === undefined) throw new KnowledgeError("FILE_NOT_FOUND", toMessage("s3Removed"));
  const filename = key.slice(key.lastIndexOf("/") + 1);
  const sourcePath = `s3://${name}/${key}`;
  const { bytes, modified } = content;
  return parts.accept({ kind: "upload", filename, sourcePath, modified, bytes }, stop);
}

/** What Bedrock reads as attributes; none if the file is not as Bedrock describes it. */
async function readSidecar(
  bucket: S3Bucket,
  sidecar: S3Object | undefined,
  signal: AbortSignal,
): Promise<Metadata> {
  if (sidecar === undefined || sidecar.sizeBytes > MAX_SIDECAR_BYTES) return {};
  const content = await bucket.get(sidecar.key, MAX_SIDECAR_BYTES, signal);
  const text = content && (await collect(content.bytes)).toString("utf8");
  try {
    const { metadataAttributes } = JSON.parse(text ?? "");
    const entries = Object.entries(metadataAttributes ?? {});
    return toFileMetadata(Object.fromEntries(entries.map(([key, value]) => [key, plain(value)])));
  } catch {
    // Thrown for anything that is not JSON, or no object.
    return {};
  }
}

/** `{"value": {"type": "STRING", "stringValue": "x"}}` or the value itself. */
function plain(attribute: unknown): unknown {
  const { value } = (attribute ?? {}) as { readonly value?: object };
  if (typeof value !== "object" || value === null) return attribute;
  return Object.entries(value).find(([name]) => name !== "type")?.[1] ?? null;
}
