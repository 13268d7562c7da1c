// Rows are linked by foreign keys. Rows of an older database that have no owner are moved first, never dropped
// if they may be the last copy: knowledge.set_aside keeps each row unchanged.
import { describeNotice } from "../../domain/phrases/notices.ts";
import type { Sql } from "./connection.ts";

const SET_ASIDE = `
CREATE TABLE knowledge.set_aside (
  kb integer NOT NULL,
  kind text NOT NULL,
  content jsonb NOT NULL,
  set_aside_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX set_aside_base ON knowledge.set_aside (kb, kind);
`;

/** First entries of missing categories, then everything that belongs to a missing scope or document. */
const RESCUE_RULES = `
WITH gone AS (
  DELETE FROM knowledge.entries e WHERE NOT EXISTS (
    SELECT 1 FROM knowledge.categories c JOIN knowledge.scopes s ON s.kb = c.kb AND s.scope = c.scope
    WHERE c.kb = e.kb AND c.scope = e.scope AND c.category = e.category)
  RETURNING e.*
)
INSERT INTO knowledge.set_aside (kb, kind, content)
SELECT g.kb, 'entry', to_jsonb(g) || jsonb_build_object('category_name', c.name)
FROM gone g LEFT JOIN knowledge.categories c ON c.kb = g.kb AND c.category = g.category;

WITH gone AS (
  DELETE FROM knowledge.categories c WHERE NOT EXISTS (
    SELECT 1 FROM knowledge.scopes s WHERE s.kb = c.kb AND s.scope = c.scope)
  RETURNING c.*
)
INSERT INTO knowledge.set_aside (kb, kind, content) SELECT kb, 'category', to_jsonb(gone) FROM gone;
`;

/** A scope below a missing one keeps the ancestors that exist, so what it inherits does not change. */
const RESCUE_SCOPES = `
WITH paths AS (
  SELECT s.kb, s.id, s.path AS old_path, (
    SELECT text2ltree(string_agg(label, '.' ORDER BY place))
    FROM unnest(string_to_array(ltree2text(s.path), '.')) WITH ORDINALITY AS l (label, place)
    WHERE EXISTS (SELECT 1 FROM knowledge.scopes a WHERE a.kb = s.kb AND a.scope = label::bigint)
  ) AS new_path FROM knowledge.scopes s
), broken AS (
  SELECT * FROM paths WHERE old_path <> new_path
), noted AS (
  INSERT INTO knowledge.set_aside (kb, kind, content)
  SELECT kb, 'scope_path', jsonb_build_object('id', id, 'path', ltree2text(old_path)) FROM broken
)
UPDATE knowledge.scopes s SET path = b.new_path FROM broken b WHERE b.kb = s.kb AND b.id = s.id;
`;

/** Vectors can be made again from the text, so a vector without its chunk can be dropped. */
const RESCUE_DOCUMENTS = `
WITH gone AS (
  DELETE FROM knowledge.chunks c WHERE NOT EXISTS (
    SELECT 1 FROM knowledge.documents d WHERE d.kb = c.kb AND d.doc = c.doc)
  RETURNING c.*
)
INSERT INTO knowledge.set_aside (kb, kind, content) SELECT kb, 'chunk', to_jsonb(gone) - 'terms' FROM gone;

DELETE FROM knowledge.vectors v WHERE NOT EXISTS (
  SELECT 1 FROM knowledge.chunks c WHERE c.kb = v.kb AND c.key = v.key);

INSERT INTO knowledge.originals (kb, content_hash, parts, kept_at)
SELECT kb, content_hash, max(part) + 1, now() FROM knowledge.original_parts p
WHERE NOT EXISTS (
  SELECT 1 FROM knowledge.originals o WHERE o.kb = p.kb AND o.content_hash = p.content_hash)
GROUP BY kb, content_hash;
`;

// Servers of the previous version delete owners before the rows they own; that works because deletes cascade.
const LINKS = `
CREATE UNIQUE INDEX categories_number ON knowledge.categories (kb, scope, category);
ALTER TABLE knowledge.scopes ADD COLUMN parent bigint GENERATED ALWAYS AS
  (CASE WHEN nlevel(path) > 1 THEN ltree2text(subpath(path, -2, 1))::bigint END) STORED;
CREATE INDEX scopes_parent ON knowledge.scopes (kb, parent);
ALTER TABLE knowledge.scopes ADD CONSTRAINT scopes_parent_fkey
  FOREIGN KEY (kb, parent) REFERENCES knowledge.scopes (kb, scope);
ALTER TABLE knowledge.categories ADD CONSTRAINT categories_scope_fkey
  FOREIGN KEY (kb, scope) REFERENCES knowledge.scopes (kb, scope) ON DELETE CASCADE;
ALTER TABLE knowledge.entries ADD CONSTRAINT entries_category_fkey
  FOREIGN KEY (kb, scope, category) REFERENCES knowledge.categories (kb, scope, category) ON DELETE CASCADE;
ALTER TABLE knowledge.chunks ADD CONSTRAINT chunks_document_fkey
  FOREIGN KEY (kb, doc) REFERENCES knowledge.documents (kb, doc) ON DELETE CASCADE;
ALTER TABLE knowledge.vectors ADD CONSTRAINT vectors_chunk_fkey
  FOREIGN KEY (kb, key) REFERENCES knowledge.chunks (kb, key) ON DELETE CASCADE;
ALTER TABLE knowledge.original_parts ADD CONSTRAINT original_parts_original_fkey
  FOREIGN KEY (kb, content_hash) REFERENCES knowledge.originals (kb, content_hash) ON DELETE CASCADE;
`;

// No row without an owner may be added between the rescue and the constraint. Tables are locked in the order in which
// writers lock them.
const LOCK = `
LOCK TABLE knowledge.scopes, knowledge.categories, knowledge.entries, knowledge.documents, knowledge.chunks,
  knowledge.vectors, knowledge.originals, knowledge.original_parts IN ACCESS EXCLUSIVE MODE;
`;

export const FOREIGN_KEYS =
  LOCK + SET_ASIDE + RESCUE_RULES + RESCUE_SCOPES + RESCUE_DOCUMENTS + LINKS;

const NAMES: Readonly<Record<string, string>> = {
  entry: "rules",
  category: "categories",
  scope_path: "scope paths",
  chunk: "chunks",
};

/** A sentence for health checks while any row is set aside. */
export async function rowsSetAside(sql: Sql, kb: number): Promise<string | undefined> {
  const rows = await sql<{ kind: string; count: number }[]>`
    SELECT kind, count(*) AS count FROM knowledge.set_aside WHERE kb = ${kb} GROUP BY kind ORDER BY kind`;
  if (rows.length === 0) return undefined;
  const counts = rows.map(({ kind, count }) => `${count} ${NAMES[kind] ?? kind}`).join(", ");
  return describeNotice("rowsSetAside", counts);
}
