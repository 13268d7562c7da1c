// What the console reads from the tools and resources; the contract tests hold the server to it.
import type { ProcessingMethod } from "../../../domain/document.ts";
import type { Tier } from "../../../domain/scope.ts";

export interface Status {
  readonly knowledge_base: {
    readonly document_count: number;
    readonly total_chunks: number;
    readonly total_size_bytes: number;
    readonly average_chunks_per_document: number;
  };
  readonly health: {
    readonly status: string;
    readonly embedding_model_loaded: boolean;
    readonly issues?: readonly string[];
  };
  readonly configuration: { readonly embedding_model: string };
  readonly refining?: { readonly documents: number; readonly chunks: number };
  readonly last_updated: string | null;
}

export interface DocumentRow {
  readonly id: string;
  readonly filename: string;
  readonly format: string;
  readonly size_bytes: number;
  readonly date_added: string;
  readonly chunk_count: number;
  readonly processing_method: ProcessingMethod;
}

export interface DocumentList {
  readonly documents: readonly DocumentRow[];
  readonly total_count: number;
}

export interface Place {
  readonly page?: number;
  readonly slide?: number;
  readonly sheet?: string;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DocumentView {
  readonly document: DocumentRow & {
    readonly title?: string;
    readonly warnings: readonly string[];
  };
  readonly text: string;
  readonly passages: readonly {
    readonly id: string;
    readonly start: number;
    readonly end: number;
    readonly place: Place;
    readonly headings: readonly string[];
  }[];
  readonly blocks: readonly {
    readonly start: number;
    readonly end: number;
    readonly place: Place;
  }[];
}

export type TaskState = "queued" | "running" | "completed" | "failed" | "cancelled";

export interface TaskUpdate {
  readonly task_id: string;
  readonly status: TaskState;
  readonly filename?: string;
  readonly progress?: number;
  readonly current_step?: string;
  readonly created_at?: string;
  readonly message?: string;
  readonly result?: { readonly document_id: string; readonly already_present?: boolean };
}

export interface SearchHit {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly filename: string;
  readonly chunk_text: string;
  readonly relevance_score: number;
  readonly metadata: {
    readonly format: string;
    readonly page_num?: number;
    readonly slide_num?: number;
    readonly sheet?: string;
    readonly headings?: readonly string[];
    readonly span?: Span;
    readonly score_parts?: { readonly lexical?: number; readonly vector?: number };
  };
}

export interface SearchAnswer {
  readonly results: readonly SearchHit[];
  readonly total_results: number;
  readonly search_time_ms: number;
}

export interface KbAnswer {
  readonly answer: string;
  readonly citations: readonly {
    readonly content: string;
    readonly location: {
      readonly document_id?: string;
      readonly filename?: string;
      readonly page?: number;
      readonly slide?: number;
      readonly sheet?: string;
      readonly start?: number;
      readonly end?: number;
      /** Where the words that the answer uses are. */
      readonly quotes?: readonly Span[];
    };
    readonly score: number | null;
  }[];
  readonly grounded?: boolean;
  readonly outcome?: "answered" | "related" | "nothing";
  readonly warning?: string;
}

export interface ScopeRow {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string | null;
  readonly description?: string;
  readonly entry_count: number;
}

export interface ScopeView {
  readonly scope: ScopeRow;
  readonly chain: readonly { readonly id: string; readonly tier: string }[];
  readonly categories: readonly { readonly name: string; readonly description: string }[];
  readonly entries: readonly {
    readonly category: string;
    readonly keyword: string;
    readonly content: string;
    readonly source_scope: string;
    readonly source_tier: string;
    readonly overridden: readonly {
      readonly scope: string;
      readonly tier: string;
      readonly content: string;
    }[];
  }[];
}
