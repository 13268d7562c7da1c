import type { Embed } from "../../embed/embed.ts";
import type { Extract } from "../../extract/extract.ts";
import type { FolderSummary, Ingest } from "../../ingest/ingest.ts";
import type { Search } from "../../search/search.ts";
import type { Store } from "../../store/store.ts";

/** What the documents family works with; each room opens at first need. */
export interface DocumentRooms {
  store(): Promise<Store>;
  ingest(): Promise<Ingest>;
  search(): Promise<Search>;
  embed(): Promise<Embed>;
  extract(): Promise<Extract>;
  /** The folders that are kept fresh, whichever process watches them. */
  folders(): Promise<readonly FolderSummary[]>;
  /** Whether there is an audit file. */
  readonly isAudited: boolean;
  /** What is wrong with the audit log, if anything. */
  auditIssue(): Promise<string | undefined>;
  chunkSize(): Promise<number>;
  readonly maxFileMb: number;
  /** Whether pages of the web are fetched. */
  readonly allowUrls: boolean;
  /** Results of a search that does not say how many. */
  readonly topK: number;
  /** Called when documents were removed; ingest itself reports adds. */
  readonly onRemoved: () => void;
}
