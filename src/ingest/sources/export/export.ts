// What other tools export: every conversation, channel, page or mail is a document. Its path is the tool's own id, so
// the next export of the same things changes the same documents, wherever its file is.
import { basename, join } from "node:path";
import { KnowledgeError, toKnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { lookAt } from "../../../files/regular-file.ts";
import {
  copyOf,
  type Found,
  type Listing,
  MAX_ITEMS,
  type SourceKind,
  type SourceParts,
  tooMany,
} from "../kind.ts";
import { openPatterns } from "../patterns.ts";
import { chats, isChatFile } from "./chats.ts";
import { type Export, openExport } from "./files.ts";
import { isMail, mail } from "./mail.ts";
import { confluence, isConfluence, isNotion, notion, obsidian } from "./pages.ts";
import type { ExportItem, ExportReader } from "./reader.ts";
import { isSlack, slack } from "./slack.ts";

export const exported: SourceKind = { list, listsAll: false };

async function* list(listing: Listing, parts: SourceParts): AsyncGenerator<Found> {
  const { source, signal, open } = listing;
  const unpackedDir = copyOf(parts.sourcesDir, source.id);
  const files = await openExport(source.address, { unpackedDir, open, signal });
  yield* listItems(await chooseReader(files, source.address), files, { listing, parts });
}

interface Reading {
  readonly listing: Listing;
  readonly parts: SourceParts;
}

async function* listItems(
  reader: ExportReader,
  files: Export,
  { listing, parts }: Reading,
): AsyncGenerator<Found> {
  const { source, known, signal } = listing;
  const isWanted = openPatterns(source.settings);
  const most = source.settings.maxItems ?? MAX_ITEMS;
  const seen = new Set<string>();
  for await (const each of reader.list(files)) {
    signal.throwIfAborted();
    const { item, path } = each;
    if (seen.has(item) || !isWanted(path)) continue;
    if (seen.size === most) return yield tooMany(most);
    seen.add(item);
    yield isKnown(each, known) ? { kind: "same", item } : await take(each, parts, signal);
  }
  const gone = reader.hasAll && seen.size > 0 ? [...known.keys()] : [];
  for (const item of gone) if (!seen.has(item)) yield { kind: "gone", item };
}

function isKnown({ item, version }: ExportItem, known: Listing["known"]): boolean {
  const before = known.get(item);
  return before?.version === version && !before.isMissing;
}

/** Kept at once, because the files are closed when the last one is listed. */
async function take(each: ExportItem, parts: SourceParts, signal: AbortSignal): Promise<Found> {
  const { item, version } = each;
  try {
    const { metadata, ...read } = await each.read(parts.maxFileBytes);
    const accepted = await parts.accept({ kind: "upload", sourcePath: item, ...read }, signal);
    return { kind: "item", item, version, metadata, take: async () => accepted };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    return { kind: "item", item, version, take: () => Promise.reject(error) };
  }
}

async function chooseReader(from: Export, address: string): Promise<ExportReader> {
  if (isSlack(from)) return slack;
  if (from.files.some(isChatFile)) return chats;
  if (isMail(from)) return mail;
  if (isNotion(from)) return notion;
  if (isConfluence(from)) return confluence;
  const vault = basename(address).replace(/\.zip$/i, "");
  const isVault = await lookAt(join(address, ".obsidian")).catch(() => undefined);
  if (isVault || from.files.some(({ name }) => /(?:^|\/)\.obsidian\//.test(name)))
    return obsidian(vault);
  throw new KnowledgeError("UNSUPPORTED_FORMAT", toMessage("exportUnknown"));
}
