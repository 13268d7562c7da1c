// The columns of SQLite's tables, for statements that are not shared with PostgreSQL.

export const DOCUMENT_COLUMNS =
  "doc, id, scope, filename, source_path, content_hash, format, size_bytes, title, date_added, method, pages, warnings, metadata, chunk_count";

export const TASK_COLUMNS =
  "id, status, scope, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure";

/** SQL condition for tasks that were set aside: failed without an end time, so they are never pruned. */
export const IS_SET_ASIDE = "(status = 'failed' AND finished_at IS NULL)";
