// What the tools of the documents family share: the rooms they work with, and the form of results and errors.
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import {
  CONTRACT_FORMATS,
  type ExtractedDocument,
  type Place,
  type StoredDocument,
} from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Message, toEnglish } from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
import type { Extract } from "../../extract/extract.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Search } from "../../search/search.ts";
import type { Store } from "../../store/store.ts";
import type { Contract, Input, Success } from "../contract.ts";
import type { Sights } from "../sights.ts";
import {
  type CallContext,
  defineTool,
  type FamilyTool,
  type Tool,
  type ToolDefinition,
  type ToolOutput,
} from "../tool.ts";
import type { Refused } from "./contract.ts";
import type { ShownCounts } from "./shown-counts.ts";

/** The rooms of the documents family; each opens on first use. */
export interface DocumentRooms {
  readonly sights: Sights;
  store(): Promise<Store>;
  ingest(): Promise<Ingest>;
  search(): Promise<Search>;
  embed(): Promise<Embed>;
  extract(): Promise<Extract>;
  /** Whether there is an audit file. */
  readonly isAudited: boolean;
  /** What is wrong with the audit log, if anything. */
  auditIssue(): Promise<Message | undefined>;
  /** Undefined without a token file. */
  readonly tokenFile?: (() => Promise<TokenFileState>) | undefined;
  readonly maxFileMb: number;
  /** Whether web pages may be fetched. */
  readonly allowUrls: boolean;
  /** The default number of search results. */
  readonly topK: number;
  /** Where the questions of `knowledge-server check` are. */
  readonly checksFile: string;
  /** How often documents are shown. */
  readonly shown: ShownCounts;
  /** Called when documents of these scopes, or of all, were removed or moved; ingest itself reports adds. */
  readonly onRemoved: (scopes: readonly string[] | undefined) => void;
}

interface TokenFileState {
  readonly tokens: { readonly length: number };
  /** What is wrong with it, if anything. */
  readonly issue?: Message;
  /** Where and why. */
  readonly problems?: string;
}

type DocumentsTool<Of extends Contract> = Omit<FamilyTool<Of>, "run"> & {
  /** `seen`: the rooms as the caller sees them. */
  readonly run: (
    args: Input<Of>,
    context: CallContext,
    seen: DocumentRooms,
  ) => Promise<ToolOutput<Success<Of>>>;
};

export function documentsTool<Of extends Contract>(
  rooms: DocumentRooms,
  { run, ...definition }: DocumentsTool<Of>,
): Tool {
  return defineTool({
    family: "documents",
    toError,
    ...definition,
    run: async (args, context) => run(args, context, await seenBy(rooms, context)),
  } as ToolDefinition<Of>);
}

/** The same rooms for one caller: to it, documents of scopes that it may not read do not exist. */
export async function seenBy(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
): Promise<DocumentRooms> {
  const sight = await rooms.sights.of(who);
  if (sight === undefined) return rooms;
  return {
    ...rooms,
    store: async () => (await rooms.store()).seenBy(sight),
    ingest: async () => (await rooms.ingest()).seenBy(sight),
    search: async () => {
      const { search } = await rooms.search();
      return { search: (request, signal) => search({ ...request, sight }, signal) };
    },
  };
}

/** The scope of an argument and those it inherits from, as a filter; all that the caller sees without one. */
export async function within(
  { sights }: DocumentRooms,
  who: Pick<CallContext, "principal">,
  scope: string | undefined,
): Promise<{ readonly scopes?: readonly string[] }> {
  return scope === undefined ? {} : { scopes: await sights.chain(who, scope) };
}

export function scopeOf({ scope = GENERAL_SCOPE }: Pick<StoredDocument, "scope">): string {
  return scope;
}

export function toError({ code, message, details }: KnowledgeError): Refused {
  const formats = code === "UNSUPPORTED_FORMAT" ? { supported_formats: CONTRACT_FORMATS } : {};
  return { success: false, error: code.toLowerCase(), message, ...formats, ...details };
}

export function respond<Payload>(payload: Payload): ToolOutput<Payload> {
  return { payload, structured: payload };
}

export function toWarnings(warnings: readonly Message[]) {
  return { warnings: warnings.map(toEnglish), warning_codes: [...warnings] };
}

/** Its text as a resource. */
export function documentUri(documentId: string): string {
  return `knowledge://documents/${documentId}`;
}

/** What a result has about the document that it shows. */
export function toHead({ id, filename, format, title, dateAdded, scope }: StoredDocument) {
  return {
    ...{ success: true as const, document_id: id, filename, format },
    ...{ date_added: dateAdded, resource: documentUri(id) },
    ...defined({ title, scope }),
  };
}

export function toMegabytes(sizeBytes: number): number {
  return Math.round((sizeBytes / 1024 / 1024) * 10) / 10;
}

export function toSeconds(ms: number): number {
  return Math.round(Math.max(0, ms) / 100) / 10;
}

/** A slide counts as a page. */
export function toPlacePayload({ page, slide, sheet }: Place) {
  return defined({ page_num: page ?? slide, slide_num: slide, sheet });
}

export function invalidParameter(
  parameter: string,
  problem: string,
  more: Readonly<Record<string, unknown>> = {},
): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'${parameter}': ${problem}.`, {
    details: { parameter, ...more },
  });
}

/** With `scopes`, only in one of them. */
export async function documentOf(
  rooms: DocumentRooms,
  id: string,
  { scopes }: { readonly scopes?: readonly string[] } = {},
): Promise<StoredDocument> {
  const document = await (await rooms.store()).documents.get(id);
  if (document === undefined || !(scopes?.includes(scopeOf(document)) ?? true))
    throw documentNotFound(id);
  return document;
}

export async function extractedOf(rooms: DocumentRooms, id: string): Promise<ExtractedDocument> {
  const extracted = await (await rooms.store()).documents.extracted(id);
  if (extracted === undefined) throw documentNotFound(id);
  return extracted;
}

export function documentNotFound(documentId: string): KnowledgeError {
  return new KnowledgeError("DOCUMENT_NOT_FOUND", `Document with ID '${documentId}' not found`, {
    details: { document_id: documentId },
  });
}
