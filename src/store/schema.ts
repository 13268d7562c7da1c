// The tables of both engines, side by side: a pair for each part of the store. A migration is numbered by its place in the
// list, runs once, is never edited after a release and never undone. Names are the same on both engines. On PostgreSQL
// every key begins with `kb`, so that the tables can be sharded by knowledge base. SQLite has one knowledge base per file:
// there `kb` is always 1, takes no byte, and comes last in an index, because its planner would take it for selective.

import { type Tables, WORDS } from "./words/schema.ts";

const DOCUMENTS: Tables = {
  sqlite: `
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  changes INTEGER NOT NULL DEFAULT 0,
  next_key INTEGER NOT NULL DEFAULT 1,
  documents INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0,
  size_bytes INTEGER NOT NULL DEFAULT 0,
  last_updated TEXT,
  removals INTEGER NOT NULL DEFAULT 0,
  removals_dropped INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO state (id) VALUES (1);

CREATE TABLE bases (
  kb INTEGER PRIMARY KEY,
  scopes_version INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO bases (kb) VALUES (1);

CREATE TABLE documents (
  doc INTEGER PRIMARY KEY AUTOINCREMENT,
  kb INTEGER NOT NULL DEFAULT 1,
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
  kb INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  doc INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  PRIMARY KEY (key, value, doc)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_doc ON facets (doc);

CREATE TABLE texts (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  kb INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE encodings (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  kb INTEGER NOT NULL,
  encoders TEXT NOT NULL,
  made BLOB NOT NULL,
  unchecked INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  changed INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  lease_clock TEXT,
  lease_until INTEGER,
  lease_ms INTEGER
) STRICT;
CREATE INDEX encodings_open ON encodings (doc) WHERE unchecked + waiting > 0;
CREATE INDEX encodings_held ON encodings (worker) WHERE worker IS NOT NULL;
CREATE INDEX encodings_changed ON encodings (changed);

CREATE TABLE refined_vectors (
  key INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL REFERENCES encodings ON DELETE CASCADE,
  vector BLOB NOT NULL,
  changed INTEGER NOT NULL
) STRICT;
CREATE INDEX refined_vectors_doc ON refined_vectors (doc);
CREATE INDEX refined_vectors_changed ON refined_vectors (changed);
`,
  postgres: `
CREATE TABLE bases (
  kb integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  scopes_version bigint NOT NULL DEFAULT 0,
  documents_changed_at text
);
CREATE SEQUENCE document_numbers;
CREATE TABLE documents (
  kb integer NOT NULL,
  doc bigint NOT NULL DEFAULT nextval('document_numbers'),
  id text NOT NULL,
  filename text NOT NULL,
  sort_name text COLLATE "C" NOT NULL,
  match_text text NOT NULL,
  source_path text,
  content_hash text NOT NULL,
  format text NOT NULL,
  size_bytes bigint NOT NULL,
  title text,
  date_added text COLLATE "C" NOT NULL,
  method text NOT NULL,
  pages text NOT NULL,
  warnings text NOT NULL,
  metadata text NOT NULL,
  fingerprint text NOT NULL,
  chunk_count integer NOT NULL,
  vector_count integer NOT NULL,
  PRIMARY KEY (kb, id)
);
CREATE UNIQUE INDEX documents_number ON documents (kb, doc);
-- By hash, because an index entry has at most 2,704 bytes, a path 4,096. Not by md5(), which servers in FIPS mode refuse,
-- nor by convert_to(), which no index may call.
CREATE UNIQUE INDEX documents_path_hash ON documents (kb,
  sha256(decode(replace(source_path, chr(92), repeat(chr(92), 2)), 'escape')));
CREATE INDEX documents_hash ON documents (kb, content_hash);
CREATE INDEX documents_added ON documents (kb, date_added, doc);
CREATE INDEX documents_name ON documents (kb, sort_name, doc);
CREATE INDEX documents_size ON documents (kb, size_bytes, doc);
CREATE INDEX documents_filename ON documents (kb, filename);
CREATE INDEX documents_format ON documents (kb, format);
CREATE INDEX documents_fingerprint ON documents (kb, fingerprint COLLATE "C");

CREATE TABLE facets (
  kb integer NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  doc bigint NOT NULL,
  PRIMARY KEY (kb, key, value, doc),
  FOREIGN KEY (kb, doc) REFERENCES documents (kb, doc) ON DELETE CASCADE
);
CREATE INDEX facets_document ON facets (kb, doc);

CREATE TABLE texts (
  kb integer NOT NULL,
  doc bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (kb, doc),
  FOREIGN KEY (kb, doc) REFERENCES documents (kb, doc) ON DELETE CASCADE
);
ALTER TABLE texts ALTER body SET STORAGE EXTERNAL;

CREATE SEQUENCE chunk_keys;
CREATE TABLE chunks (
  kb integer NOT NULL,
  key bigint NOT NULL,
  doc bigint NOT NULL,
  ordinal integer NOT NULL,
  start integer NOT NULL,
  "end" integer NOT NULL,
  text text NOT NULL,
  detail text NOT NULL,
  terms text NOT NULL,
  PRIMARY KEY (kb, key),
  FOREIGN KEY (kb, doc) REFERENCES documents (kb, doc) ON DELETE CASCADE
);
CREATE INDEX chunks_document ON chunks (kb, doc, ordinal);

CREATE TABLE vectors (
  kb integer NOT NULL,
  key bigint NOT NULL,
  doc bigint NOT NULL,
  dimensions integer NOT NULL,
  embedding halfvec NOT NULL,
  PRIMARY KEY (kb, key),
  FOREIGN KEY (kb, key) REFERENCES chunks (kb, key) ON DELETE CASCADE
);
CREATE INDEX vectors_document ON vectors (kb, doc);

CREATE TABLE encodings (
  kb integer NOT NULL,
  doc bigint NOT NULL,
  encoders text NOT NULL,
  made bytea NOT NULL,
  unchecked integer NOT NULL,
  waiting integer NOT NULL,
  worker text,
  lease_clock text,
  lease_until bigint,
  lease_ms bigint,
  PRIMARY KEY (kb, doc),
  FOREIGN KEY (kb, doc) REFERENCES documents (kb, doc) ON DELETE CASCADE
);
CREATE INDEX encodings_open ON encodings (kb, doc) WHERE unchecked + waiting > 0;
CREATE INDEX encodings_held ON encodings (kb, worker) WHERE worker IS NOT NULL;
`,
};

const CHUNK_INDEX: Tables = {
  sqlite: `
CREATE INDEX chunks_document ON chunks (doc, ordinal);
CREATE INDEX segments_document ON segments (doc);
`,
  postgres: "",
};

const ORIGINALS: Tables = {
  sqlite: `
CREATE TABLE identity (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  id TEXT NOT NULL,
  created_by TEXT NOT NULL,
  claim TEXT NOT NULL CHECK (claim IN ('new', 'marked', 'marked-again', 'apart'))
) STRICT;

CREATE TABLE dropped_originals (
  hash TEXT PRIMARY KEY,
  dropped_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

`,
  postgres: `
CREATE TABLE originals (
  kb integer NOT NULL,
  content_hash text NOT NULL,
  parts integer NOT NULL,
  kept_at timestamptz NOT NULL,
  trashed_at timestamptz,
  trashed_why text,
  trash_days date[] NOT NULL DEFAULT '{}',
  filename text,
  PRIMARY KEY (kb, content_hash)
);
CREATE TABLE original_parts (
  kb integer NOT NULL,
  content_hash text NOT NULL,
  part integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (kb, content_hash, part),
  FOREIGN KEY (kb, content_hash) REFERENCES originals (kb, content_hash) ON DELETE CASCADE
);
ALTER TABLE original_parts ALTER data SET STORAGE EXTERNAL;
`,
};

const TASKS: Tables = {
  sqlite: `
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kb INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  content_hash TEXT NOT NULL,
  caller TEXT NOT NULL DEFAULT '',
  size_bytes INTEGER NOT NULL DEFAULT 0,
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
CREATE INDEX tasks_status ON tasks (status, kb);
`,
  postgres: `
CREATE SEQUENCE task_numbers;
CREATE TABLE tasks (
  kb integer NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('task_numbers'),
  id text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  content_hash text NOT NULL,
  caller text NOT NULL DEFAULT '',
  size_bytes bigint NOT NULL DEFAULT 0,
  request text NOT NULL,
  progress text NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  started_at text COLLATE "C",
  finished_at text COLLATE "C",
  attempts integer NOT NULL DEFAULT 0,
  worker text,
  lease_clock text,
  lease_until bigint,
  lease_ms bigint,
  result text,
  failure text,
  PRIMARY KEY (kb, id)
);
CREATE INDEX tasks_open ON tasks (kb, seq) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_open_hash ON tasks (kb, content_hash) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_all ON tasks (kb, seq);
CREATE INDEX tasks_finished ON tasks (kb, finished_at) WHERE finished_at IS NOT NULL;
`,
};

const SCOPES: Tables = {
  sqlite: `
CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY AUTOINCREMENT,
  kb INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  tier INTEGER NOT NULL CHECK (tier BETWEEN 0 AND 3),
  parent INTEGER REFERENCES scopes,
  description TEXT
) STRICT;
CREATE INDEX scopes_parent ON scopes (parent);

CREATE TABLE categories (
  category INTEGER PRIMARY KEY AUTOINCREMENT,
  kb INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  UNIQUE (scope, name, kb)
) STRICT;

CREATE TABLE entries (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  kb INTEGER NOT NULL,
  category INTEGER NOT NULL REFERENCES categories ON DELETE CASCADE,
  keyword TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (category, keyword, kb)
) STRICT;
`,
  postgres: `
CREATE SEQUENCE scope_numbers;
CREATE TABLE scopes (
  kb integer NOT NULL,
  scope bigint NOT NULL DEFAULT nextval('scope_numbers'),
  id text COLLATE "C" NOT NULL,
  tier integer NOT NULL CHECK (tier BETWEEN 0 AND 3),
  parent bigint,
  description text,
  PRIMARY KEY (kb, scope),
  UNIQUE (kb, id),
  FOREIGN KEY (kb, parent) REFERENCES scopes (kb, scope)
);
CREATE INDEX scopes_parent ON scopes (kb, parent);

CREATE SEQUENCE category_numbers;
CREATE TABLE categories (
  kb integer NOT NULL,
  category bigint NOT NULL DEFAULT nextval('category_numbers'),
  scope bigint NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  PRIMARY KEY (kb, category),
  UNIQUE (kb, scope, name),
  FOREIGN KEY (kb, scope) REFERENCES scopes (kb, scope) ON DELETE CASCADE
);

CREATE SEQUENCE entry_numbers;
CREATE TABLE entries (
  kb integer NOT NULL,
  entry bigint NOT NULL DEFAULT nextval('entry_numbers'),
  category bigint NOT NULL,
  keyword text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (kb, category, keyword),
  FOREIGN KEY (kb, category) REFERENCES categories (kb, category) ON DELETE CASCADE
);
`,
};

const FIRST = [DOCUMENTS, WORDS, CHUNK_INDEX, ORIGINALS, TASKS, SCOPES];

export const SQLITE_MIGRATIONS: readonly string[] = [FIRST.map(({ sqlite }) => sqlite).join("")];
export const POSTGRES_MIGRATIONS: readonly string[] = [
  FIRST.map(({ postgres }) => postgres).join(""),
];

export const POSTGRES_TABLES: readonly string[] = [
  ...POSTGRES_MIGRATIONS.join("").matchAll(/^CREATE TABLE (\w+)/gm),
].map(([, name = ""]) => name);
