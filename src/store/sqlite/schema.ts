// Migrations: numbered by their place in the list, run once, never edited after a release, never undone.

/** Chunk keys are grouped in blocks of this size in the postings; part of the stored format. */
export const BLOCK_SIZE = 4096;
/** A postings row's id is `block * TERMS_PER_BLOCK + term`: one integer key, in order of both. */
export const TERMS_PER_BLOCK = 2 ** 32;

const DOCUMENTS = `
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  changes INTEGER NOT NULL DEFAULT 0,
  next_key INTEGER NOT NULL DEFAULT 1,
  documents INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0,
  size_bytes INTEGER NOT NULL DEFAULT 0,
  total_length INTEGER NOT NULL DEFAULT 0,
  last_updated TEXT,
  removals INTEGER NOT NULL DEFAULT 0,
  removals_dropped INTEGER NOT NULL DEFAULT 0,
  scopes_version INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO state (id) VALUES (1);

CREATE TABLE documents (
  doc INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  filename TEXT NOT NULL,
  sort_name TEXT NOT NULL,
  match_text TEXT NOT NULL,
  source_path TEXT UNIQUE,
  content_hash TEXT NOT NULL,
  format TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  title TEXT,
  date_added TEXT NOT NULL,
  method TEXT NOT NULL,
  pages TEXT NOT NULL,
  warnings TEXT NOT NULL,
  metadata TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  first_key INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  vector_count INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_hash ON documents (content_hash);
CREATE INDEX documents_added ON documents (date_added, doc);
CREATE INDEX documents_name ON documents (sort_name, doc);
CREATE INDEX documents_size ON documents (size_bytes, doc);
CREATE INDEX documents_filename ON documents (filename);
CREATE INDEX documents_format ON documents (format);
CREATE INDEX documents_fingerprint ON documents (fingerprint);
CREATE INDEX documents_bare ON documents (doc) WHERE vector_count < chunk_count;

CREATE TABLE facets (
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  doc INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  PRIMARY KEY (key, value, doc)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_doc ON facets (doc);

CREATE TABLE texts (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  body BLOB NOT NULL
) STRICT;
`;

const INDEX = `
CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  text TEXT NOT NULL,
  detail TEXT NOT NULL,
  terms BLOB NOT NULL
) STRICT;

CREATE TABLE segments (
  first_key INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL,
  count INTEGER NOT NULL,
  lengths BLOB NOT NULL,
  dimensions INTEGER NOT NULL,
  vectors BLOB
) STRICT;

CREATE TABLE removals (
  seq INTEGER PRIMARY KEY,
  first_key INTEGER NOT NULL,
  last_key INTEGER NOT NULL
) STRICT;

CREATE TABLE terms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  term TEXT NOT NULL UNIQUE,
  frequency INTEGER NOT NULL
) STRICT;

CREATE TABLE blocks (
  block INTEGER PRIMARY KEY,
  removed INTEGER NOT NULL
) STRICT;

CREATE TABLE postings (
  id INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
`;

const TASKS = `
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  content_hash TEXT NOT NULL,
  request TEXT NOT NULL,
  progress TEXT NOT NULL,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  lease_clock TEXT,
  lease_until INTEGER,
  lease_ms INTEGER,
  result TEXT,
  failure TEXT
) STRICT;
CREATE INDEX tasks_open ON tasks (seq) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_open_hash ON tasks (content_hash) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_finished ON tasks (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX tasks_status ON tasks (status);
`;

const SCOPES = `
CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tier INTEGER NOT NULL CHECK (tier BETWEEN 0 AND 3),
  parent INTEGER REFERENCES scopes,
  path TEXT NOT NULL UNIQUE,
  description TEXT
) STRICT;
CREATE INDEX scopes_parent ON scopes (parent);

CREATE TABLE categories (
  category INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL REFERENCES scopes ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  UNIQUE (scope, name)
) STRICT;

CREATE TABLE entries (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  category INTEGER NOT NULL REFERENCES categories ON DELETE CASCADE,
  keyword TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (category, keyword)
) STRICT;
`;

export const MIGRATIONS: readonly string[] = [DOCUMENTS + INDEX + TASKS + SCOPES];

/**
 * Tables that the first version does not need: created if missing, but not counted as a
 * migration, so that older and newer programs share a folder.
 */
export const ADDITIONS = `
CREATE TABLE IF NOT EXISTS identity (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  id TEXT NOT NULL,
  created_by TEXT NOT NULL,
  claim TEXT NOT NULL CHECK (claim IN ('new', 'marked', 'marked-again', 'apart'))
) STRICT;

CREATE TABLE IF NOT EXISTS dropped_originals (
  hash TEXT PRIMARY KEY,
  dropped_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS encodings (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  first_key INTEGER NOT NULL,
  encoders TEXT NOT NULL,
  made BLOB NOT NULL,
  unchecked INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  worker TEXT,
  lease_clock TEXT,
  lease_until INTEGER,
  lease_ms INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS encodings_open ON encodings (doc) WHERE unchecked + waiting > 0;
CREATE INDEX IF NOT EXISTS encodings_held ON encodings (worker) WHERE worker IS NOT NULL;
CREATE INDEX IF NOT EXISTS encodings_changed ON encodings (changed);

CREATE TABLE IF NOT EXISTS refined_vectors (
  key INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL REFERENCES encodings ON DELETE CASCADE,
  vector BLOB NOT NULL,
  changed INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS refined_vectors_doc ON refined_vectors (doc);
CREATE INDEX IF NOT EXISTS refined_vectors_changed ON refined_vectors (changed);
`;

/** The last of the additional tables: if it exists, all do. */
export const LAST_ADDITION = "refined_vectors";
