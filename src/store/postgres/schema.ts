// Migrations: numbered by their place in the list, run once, never edited after a release, never undone.
// Every key begins with `kb`, so that the tables can be sharded by knowledge base.
import { FOREIGN_KEYS } from "./foreign-keys.ts";

export interface Migration {
  readonly sql: string;
  /** The oldest version of this list whose programs still work on the result: rolling upgrades need the one before. */
  readonly worksWith: number;
}

const BASES = `
CREATE TABLE knowledge.bases (
  kb integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  scopes_version bigint NOT NULL DEFAULT 0,
  documents_changed_at timestamptz
);
`;

const DOCUMENTS = `
CREATE SEQUENCE knowledge.document_numbers;
CREATE TABLE knowledge.documents (
  kb integer NOT NULL,
  doc bigint NOT NULL DEFAULT nextval('knowledge.document_numbers'),
  id text NOT NULL,
  filename text NOT NULL,
  sort_name text COLLATE "C" NOT NULL,
  match_text text NOT NULL,
  source_path text,
  content_hash text NOT NULL,
  format text NOT NULL,
  size_bytes bigint NOT NULL,
  title text,
  date_added timestamptz NOT NULL,
  method text NOT NULL,
  pages jsonb NOT NULL,
  warnings jsonb NOT NULL,
  metadata jsonb NOT NULL,
  fingerprint text NOT NULL,
  chunk_count integer NOT NULL,
  vector_count integer NOT NULL,
  body text NOT NULL,
  blocks jsonb NOT NULL,
  PRIMARY KEY (kb, id)
);
CREATE UNIQUE INDEX documents_number ON knowledge.documents (kb, doc);
CREATE UNIQUE INDEX documents_path ON knowledge.documents (kb, source_path);
CREATE INDEX documents_hash ON knowledge.documents (kb, content_hash);
CREATE INDEX documents_added ON knowledge.documents (kb, date_added, doc);
CREATE INDEX documents_name ON knowledge.documents (kb, sort_name, doc);
CREATE INDEX documents_size ON knowledge.documents (kb, size_bytes, doc);
CREATE INDEX documents_filename ON knowledge.documents (kb, filename);
CREATE INDEX documents_format ON knowledge.documents (kb, format);
CREATE INDEX documents_metadata ON knowledge.documents USING gin (metadata jsonb_path_ops);

CREATE SEQUENCE knowledge.chunk_keys;
CREATE TABLE knowledge.chunks (
  kb integer NOT NULL,
  key bigint NOT NULL,
  doc bigint NOT NULL,
  ordinal integer NOT NULL,
  start integer NOT NULL,
  "end" integer NOT NULL,
  text text NOT NULL,
  detail jsonb NOT NULL,
  terms text NOT NULL,
  PRIMARY KEY (kb, key)
);
CREATE INDEX chunks_document ON knowledge.chunks (kb, doc, ordinal);

CREATE TABLE knowledge.vectors (
  kb integer NOT NULL,
  key bigint NOT NULL,
  doc bigint NOT NULL,
  dimensions integer NOT NULL,
  embedding halfvec NOT NULL,
  PRIMARY KEY (kb, key)
);
CREATE INDEX vectors_document ON knowledge.vectors (kb, doc);
`;

// The inverted index: see postings.ts for what a row's data holds, segments.ts for how rows are joined.
const INDEX = `
CREATE SEQUENCE knowledge.segment_numbers;
CREATE TABLE knowledge.segments (
  kb integer NOT NULL,
  segment bigint NOT NULL,
  size integer NOT NULL,
  chunks integer NOT NULL,
  length bigint NOT NULL,
  PRIMARY KEY (kb, segment)
);
CREATE TABLE knowledge.postings (
  kb integer NOT NULL,
  term text COLLATE "C" NOT NULL,
  segment bigint NOT NULL,
  frequency integer NOT NULL,
  removals boolean NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (kb, term, segment)
);
ALTER TABLE knowledge.postings ALTER data SET STORAGE EXTERNAL;
CREATE INDEX postings_segment ON knowledge.postings (kb, segment);
`;

const ORIGINALS = `
CREATE TABLE knowledge.originals (
  kb integer NOT NULL,
  content_hash text NOT NULL,
  parts integer NOT NULL,
  kept_at timestamptz NOT NULL,
  PRIMARY KEY (kb, content_hash)
);
CREATE TABLE knowledge.original_parts (
  kb integer NOT NULL,
  content_hash text NOT NULL,
  part integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (kb, content_hash, part)
);
ALTER TABLE knowledge.original_parts ALTER data SET STORAGE EXTERNAL;
`;

const TASKS = `
CREATE SEQUENCE knowledge.task_numbers;
CREATE TABLE knowledge.tasks (
  kb integer NOT NULL,
  id text NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('knowledge.task_numbers'),
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  content_hash text NOT NULL,
  request jsonb NOT NULL,
  progress jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  worker text,
  lease_until timestamptz,
  result jsonb,
  failure jsonb,
  PRIMARY KEY (kb, id)
);
CREATE INDEX tasks_open ON knowledge.tasks (kb, seq) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_open_hash ON knowledge.tasks (kb, content_hash) WHERE status IN ('queued', 'running');
CREATE INDEX tasks_all ON knowledge.tasks (kb, seq);
CREATE INDEX tasks_finished ON knowledge.tasks (kb, finished_at) WHERE finished_at IS NOT NULL;
`;

const SCOPES = `
CREATE SEQUENCE knowledge.scope_numbers;
CREATE TABLE knowledge.scopes (
  kb integer NOT NULL,
  scope bigint NOT NULL DEFAULT nextval('knowledge.scope_numbers'),
  id text COLLATE "C" NOT NULL,
  tier integer NOT NULL CHECK (tier BETWEEN 0 AND 3),
  path ltree NOT NULL,
  description text,
  PRIMARY KEY (kb, id)
);
CREATE UNIQUE INDEX scopes_number ON knowledge.scopes (kb, scope);
CREATE INDEX scopes_path ON knowledge.scopes USING gist (path);

CREATE SEQUENCE knowledge.category_numbers;
CREATE TABLE knowledge.categories (
  kb integer NOT NULL,
  category bigint NOT NULL DEFAULT nextval('knowledge.category_numbers'),
  scope bigint NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  PRIMARY KEY (kb, scope, name)
);
CREATE SEQUENCE knowledge.entry_numbers;
CREATE TABLE knowledge.entries (
  kb integer NOT NULL,
  entry bigint NOT NULL DEFAULT nextval('knowledge.entry_numbers'),
  scope bigint NOT NULL,
  category bigint NOT NULL,
  keyword text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (kb, scope, category, keyword)
);
`;

export const MIGRATIONS: readonly Migration[] = [
  { sql: BASES + DOCUMENTS + INDEX + ORIGINALS + TASKS + SCOPES, worksWith: 1 },
  {
    sql: 'CREATE INDEX documents_fingerprint ON knowledge.documents (kb, fingerprint COLLATE "C");',
    worksWith: 1,
  },
  {
    // Older programs keep working without these columns: an original that they store again is never purged.
    sql: `ALTER TABLE knowledge.originals
      ADD COLUMN trashed_at timestamptz, ADD COLUMN trashed_why text, ADD COLUMN filename text;`,
    worksWith: 1,
  },
  { sql: FOREIGN_KEYS, worksWith: 1 },
  {
    // Older programs keep working without this table: newer ones check the documents that have no row.
    sql: `CREATE TABLE knowledge.encodings (
        kb integer NOT NULL,
        doc bigint NOT NULL,
        fingerprint text NOT NULL,
        encoders text NOT NULL,
        made bytea NOT NULL,
        unchecked integer NOT NULL,
        waiting integer NOT NULL,
        worker text,
        lease_until timestamptz,
        PRIMARY KEY (kb, doc),
        FOREIGN KEY (kb, doc) REFERENCES knowledge.documents (kb, doc) ON DELETE CASCADE
      );
      CREATE INDEX encodings_open ON knowledge.encodings (kb, doc) WHERE unchecked + waiting > 0;
      CREATE INDEX encodings_held ON knowledge.encodings (kb, worker) WHERE worker IS NOT NULL;`,
    worksWith: 1,
  },
  {
    // An index entry has at most 2,704 bytes, a path 4,096. Older programs keep working, but search paths row by row.
    // Not by md5(), which servers in FIPS mode refuse, nor by convert_to(), which no index may call.
    sql: `CREATE UNIQUE INDEX documents_path_hash ON knowledge.documents (kb,
        sha256(decode(replace(source_path, chr(92), repeat(chr(92), 2)), 'escape')));
      DROP INDEX knowledge.documents_path;`,
    worksWith: 1,
  },
];
