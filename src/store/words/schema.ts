// The tables of the inverted index; format/encode.ts says what their bytes hold.

/** One part of the schema, for each engine. */
export interface Tables {
  readonly sqlite: string;
  readonly postgres: string;
}

export const WORDS: Tables = {
  sqlite: `
CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL DEFAULT 1,
  doc INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  text TEXT NOT NULL,
  detail TEXT NOT NULL,
  terms TEXT NOT NULL
) STRICT;

CREATE TABLE segments (
  first_key INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL,
  count INTEGER NOT NULL,
  dimensions INTEGER NOT NULL,
  vectors BLOB
) STRICT;

CREATE TABLE removals (
  seq INTEGER PRIMARY KEY,
  first_key INTEGER NOT NULL,
  last_key INTEGER NOT NULL
) STRICT;

CREATE TABLE word_segments (
  segment INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  length INTEGER NOT NULL,
  chunks BLOB NOT NULL,
  pages BLOB NOT NULL,
  filter BLOB NOT NULL
) STRICT;

CREATE TABLE word_pages (
  page INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL,
  terms BLOB NOT NULL,
  lists BLOB NOT NULL
) STRICT;
`,
  // Compressing what is packed already would only take time.
  postgres: `
CREATE TABLE word_segments (
  kb integer NOT NULL,
  segment bigint NOT NULL,
  added integer NOT NULL,
  removed integer NOT NULL,
  length bigint NOT NULL,
  chunks bytea NOT NULL,
  pages bytea NOT NULL,
  filter bytea NOT NULL,
  PRIMARY KEY (kb, segment)
);
CREATE TABLE word_pages (
  kb integer NOT NULL,
  page bigint NOT NULL,
  terms bytea NOT NULL,
  lists bytea NOT NULL,
  PRIMARY KEY (kb, page)
);
ALTER TABLE word_segments ALTER chunks SET STORAGE EXTERNAL, ALTER filter SET STORAGE EXTERNAL;
ALTER TABLE word_pages ALTER terms SET STORAGE EXTERNAL, ALTER lists SET STORAGE EXTERNAL;
`,
};
