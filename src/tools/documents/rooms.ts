import type { Message } from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
import type { Extract } from "../../extract/extract.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Search } from "../../search/search.ts";
import type { Store } from "../../store/store.ts";

/** The rooms of the documents family; each opens on first use. */
export interface DocumentRooms {
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
  /** Called when documents were removed; ingest itself reports adds. */
  readonly onRemoved: () => void;
}

interface TokenFileState {
  readonly tokens: { readonly length: number };
  /** What is wrong with it, if anything. */
  readonly issue?: Message;
  /** Where and why. */
  readonly problems?: string;
}
