import { expect, test } from "vitest";
import { sourceMetadata } from "../domain/internal-metadata.ts";
import type { Candidate } from "./candidate.ts";
import { chooseNewest } from "./versions.ts";

const TEXT =
  "The harbour opens at six in the morning and closes at nine in the evening on every day";

interface Sample {
  readonly filename: string;
  readonly score: number;
  readonly text?: string;
  readonly modified?: string;
  readonly url?: string;
  readonly path?: string;
  readonly words?: number;
}

function candidate(sample: Sample, key: number): Candidate {
  const { filename, score, text = `${TEXT} ${filename}`, modified, url, path } = sample;
  const { words: lexical } = sample;
  const facts = { ...(modified && { modified }), ...(url && { page: { url } }) };
  const dateAdded = "2026-05-01T00:00:00.000Z";
  const named = { id: `d${key}`, filename, ...(path && { sourcePath: path }) };
  const document = { ...named, format: "md" as const, dateAdded };
  const place = { ordinal: 0, start: 0, end: text.length, place: {}, headings: [] };
  const metadata = sourceMetadata(facts);
  return {
    score,
    parts: lexical === undefined ? {} : { lexical },
    chunk: { key, id: `c${key}`, text, ...place, document: { ...document, metadata } },
  };
}

const order = (samples: readonly Sample[], text = "harbour") =>
  chooseNewest(samples.map(candidate), text, 10).map(({ filename, supersededBy, score }) => ({
    filename,
    supersededBy,
    score,
  }));

test("a name with a newer version comes first, and relevance decreases", () => {
  const [first, second] = order([
    { filename: "manual-1.9.md", score: 0.8, text: `${TEXT} a b c d e f g h i j k` },
    { filename: "manual-1.10.md", score: 0.7, text: `${TEXT} l m n o p q r s t u v` },
  ]);
  expect(first).toMatchObject({ filename: "manual-1.10.md", supersededBy: undefined });
  expect(second).toMatchObject({ filename: "manual-1.9.md", supersededBy: "d1" });
  expect(second?.score).toBeLessThan(first?.score ?? 0);
});

test("an address with a version is one of a family; a version that is asked for stays first", () => {
  const samples = [
    {
      filename: "a.html",
      url: "https://x.test/docs/2.0/a.html",
      score: 0.8,
      text: `${TEXT} old words here`,
    },
    {
      filename: "a.html",
      url: "https://x.test/docs/3.0/a.html",
      score: 0.75,
      text: `${TEXT} new ones there`,
    },
  ];
  expect(order(samples).map(({ supersededBy }) => supersededBy)).toEqual([undefined, "d1"]);
  const asked = order(samples, "harbour in 2.0");
  expect(asked.map(({ supersededBy }) => supersededBy)).toEqual([undefined, undefined]);
});

test("one name with other text, dates in names and other titles are different documents", () => {
  const old = "2020-01-01T00:00:00.000Z";
  const none = (samples: readonly Sample[]) =>
    expect(order(samples).every(({ supersededBy }) => supersededBy === undefined)).toBe(true);
  none([
    {
      filename: "README.md",
      score: 0.8,
      modified: old,
      text: "How to install the server on a new machine",
    },
    {
      filename: "README.md",
      score: 0.7,
      text: "What herons eat in winter near the coast of Wales",
    },
  ]);
  none([
    { filename: "report-2024-03.md", score: 0.8 },
    { filename: "report-2024-04.md", score: 0.7 },
  ]);
});

const folders = (texts: readonly (readonly [name: string, old: string, now: string])[]) =>
  texts.flatMap(([filename, old, now], at) => [
    { filename, path: `/m/guide-1/${filename}`, score: 0.9 - at / 100, text: old },
    { filename, path: `/m/guide-2/${filename}`, score: 0.8 - at / 100, text: now },
  ]);
const CHANGED = [
  "tides.md",
  "Tides are told by hand from a table in the office",
  "A gauge at the pier measures how high water stands",
] as const;
const KEPT = (name: string) => [name, `${TEXT} ${name}`, `${TEXT} ${name}`] as const;

test("a rewritten page is the newer version's too, if the folders' other pages are the same", () => {
  const rows = order(folders([CHANGED, KEPT("a.md"), KEPT("b.md"), KEPT("c.md")]));
  const tides = rows.filter(({ filename }) => filename === "tides.md");
  expect(tides.map(({ supersededBy }) => supersededBy)).toEqual([undefined, "d1"]);
});

test("two folders that share a few files, or little, are not versions", () => {
  const marked = (samples: readonly Sample[]) =>
    order(samples).filter(
      ({ filename, supersededBy }) => filename === "tides.md" && supersededBy !== undefined,
    );
  expect(marked(folders([CHANGED, KEPT("licence.md"), KEPT("terms.md")]))).toEqual([]);
  const others = ["x.md", "y.md"].map(
    (name) =>
      [name, `Boats of ${name} are green and slow`, `Who repairs ${name} and its roof`] as const,
  );
  expect(marked(folders([CHANGED, KEPT("a.md"), KEPT("b.md"), KEPT("c.md"), ...others]))).toEqual(
    [],
  );
});

test("the same name with most of the text is ordered by the source's date", () => {
  const rows = order([
    {
      filename: "guide.md",
      score: 0.8,
      modified: "2020-01-01T00:00:00.000Z",
      text: `${TEXT} and so on in those old years`,
    },
    {
      filename: "guide.md",
      score: 0.7,
      modified: "2025-01-01T00:00:00.000Z",
      text: `${TEXT} but now it is quite another matter`,
    },
  ]);
  expect(rows[1]).toMatchObject({ supersededBy: "d1" });
});

test("a newer version that no longer has what was asked for does not hide the older one", () => {
  const [first] = order([
    { filename: "manual-1.0.md", score: 0.9 },
    {
      filename: "manual-2.0.md",
      score: 0.3,
      text: "Something else entirely about the weather and its causes",
    },
  ]);
  expect(first).toMatchObject({ filename: "manual-1.0.md", supersededBy: "d1" });
});

test("the same path in a newer ref of a repository supersedes, by version or by date", () => {
  const [old, young] = ["2020-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z"];
  const at = (ref: string) => ({ filename: "a.md", path: `/srv/repo@${ref}!/docs/a.md` });
  const refs = (first: object, second: object) =>
    order([
      { ...at("x"), score: 0.8, text: "Nothing of this is said in the other one", ...first },
      { ...at("y"), score: 0.75, text: "Herons eat fish in winter near the coast", ...second },
    ]).map(({ supersededBy }) => supersededBy);
  expect(refs(at("v1.9"), at("release-1.10"))).toEqual([undefined, "d1"]);
  expect(refs({ ...at("main"), modified: old }, { ...at("next"), modified: young })).toEqual([
    undefined,
    "d1",
  ]);
  expect(refs({ modified: old }, { modified: young, path: "/srv/repo@y!/other/a.md" })).toEqual([
    undefined,
    undefined,
  ]);
});

test.each([
  ["postgresql-13", "postgresql-17", "d1"],
  ["week-13", "week-17", undefined],
])("whole numbers of folders: %s and %s", (old, later, supersededBy) => {
  const at = (folder: string) => ({ filename: "limits.md", path: `/m/${folder}/limits.md` });
  const shown = order([
    { ...at(old), score: 0.8, text: `${TEXT} and so on in those old years` },
    { ...at(later), score: 0.75, text: `${TEXT} but now it is quite another matter` },
  ]);
  expect(shown.map((each) => each.supersededBy)).toEqual([undefined, supersededBy]);
});

test("a folder with a version counts if the texts have passages in common", () => {
  const at = (version: string) => ({ filename: "a.md", path: `/srv/manual-${version}/a.md` });
  const same = [
    { ...at("2.9"), score: 0.8, text: `${TEXT} and so on in those old years` },
    { ...at("2.10"), score: 0.75, text: `${TEXT} but now it is quite another matter` },
  ];
  expect(order(same).map(({ supersededBy }) => supersededBy)).toEqual([undefined, "d1"]);
  const different = same.map((each, key) => ({
    ...each,
    text: key === 0 ? "How to install the server on a new machine" : "What herons eat in winter",
  }));
  expect(order(different).map(({ supersededBy }) => supersededBy)).toEqual([undefined, undefined]);
});

test("documents are versions if any of their best passages is in both", () => {
  const [old, young] = ["2020-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z"];
  const text = (key: number) => `Passage ${key} is about something else than all the others`;
  const rows = chooseNewest(
    [
      candidate({ filename: "guide.md", score: 0.8, modified: old, text: text(1) }, 0),
      candidate({ filename: "guide.md", score: 0.75, modified: young, text: text(2) }, 1),
      candidate({ filename: "guide.md", score: 0.5, modified: old, text: `${TEXT} old` }, 0),
      candidate({ filename: "guide.md", score: 0.45, modified: young, text: `${TEXT} new` }, 1),
    ],
    "harbour",
    10,
  );
  expect(rows[0]).toMatchObject({ documentId: "d1" });
});

test("the same file in two repositories is ordered by date, if the texts have passages in common", () => {
  const at = (repository: string, modified: string) => ({
    ...{ filename: "guide.md", path: `/srv/${repository}@HEAD!/guide.md`, modified },
  });
  const rows = order([
    {
      ...at("previous", "2020-01-01T00:00:00.000Z"),
      score: 0.8,
      text: `${TEXT} in those old years`,
    },
    {
      ...at("current", "2025-01-01T00:00:00.000Z"),
      score: 0.75,
      text: `${TEXT} quite another matter`,
    },
  ]);
  expect(rows.map(({ supersededBy }) => supersededBy)).toEqual([undefined, "d1"]);
});

test("a newer document of the same name does not hide the only one with the word that was asked for", () => {
  const named = (at: number) => ({
    filename: "0.txt",
    path: `/own-${at}/0.txt`,
    modified: `2026-05-0${at + 1}T00:00:00.000Z`,
    text: `報告書${at}-0: beacon${at}x0が点灯しました。`,
  });
  const both = [
    { ...named(0), score: 0.66, words: 1 },
    { ...named(2), score: 0.5, words: 0 },
  ];
  const [first] = chooseNewest(both.map(candidate), "beacon0x0", 10);
  expect(first?.text).toContain("beacon0x0");
  const known = both.map((each) => ({ ...each, words: 0.6 }));
  const [newest] = chooseNewest(known.map(candidate), "beacon", 10);
  expect(newest?.text).toContain("beacon2x0");
});
