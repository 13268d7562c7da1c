import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { openUsage, toCountedCall } from "./usage.ts";

const SEARCH = { kind: "search", found: true } as const;
const MISS = { kind: "answer", found: false } as const;
const at = (day: number) => new Date(2026, 0, day, 12);

function counting(dataDir: string, day = 1) {
  const clock = { now: at(day) };
  return { clock, usage: openUsage({ dataDir, usage: "on", now: () => clock.now }) };
}

test("counts survive the process, days are separate, and old ones are dropped", () => {
  const dataDir = tempFolder("usage");
  const { usage, clock } = counting(dataDir);
  usage.note(SEARCH);
  usage.note(MISS);
  clock.now = at(2);
  usage.note(SEARCH);
  usage.close();
  const later = counting(dataDir, 2).usage;
  later.note(SEARCH);
  expect(later.days()).toEqual([
    { day: "2026-01-01", searches: 1, answers: 1, nothing: 1 },
    { day: "2026-01-02", searches: 2, answers: 0, nothing: 0 },
  ]);
  const long = counting(dataDir);
  for (let day = 3; day <= 60; day += 1) {
    long.clock.now = at(day);
    long.usage.note(SEARCH);
  }
  long.usage.close();
  const { days } = JSON.parse(readFileSync(join(dataDir, "usage.json"), "utf8"));
  expect(Object.keys(days)).toHaveLength(30);
  expect(Object.keys(days).at(-1)).toBe("2026-03-01");
});

test("processes add to each other's counts, also while one of them is writing", () => {
  const dataDir = tempFolder("usage");
  const [one, other] = [counting(dataDir).usage, counting(dataDir).usage];
  one.note(SEARCH);
  other.note(SEARCH);
  one.close();
  const fresh = join(dataDir, "usage.json.new");
  writeFileSync(fresh, "");
  other.close();
  expect(other.days()?.[0]?.searches).toBe(2);
  expect(one.days()?.[0]?.searches).toBe(1);
  // Left by a process that was killed: removed, and the next attempt succeeds.
  utimesSync(fresh, 0, 0);
  other.close();
  other.close();
  expect(one.days()?.[0]?.searches).toBe(2);
  expect(readdirSync(dataDir)).toEqual(["usage.json"]);
});

test.each(["", "{", "[]", '{"version":1,"days":{"../x":{}}}', '{"version":2}'])(
  "a damaged file is replaced: %s",
  (damaged) => {
    const dataDir = tempFolder("usage");
    writeFileSync(join(dataDir, "usage.json"), damaged);
    const { usage } = counting(dataDir);
    expect(usage.days()).toEqual([]);
    usage.note(SEARCH);
    usage.close();
    expect(counting(dataDir).usage.days()).toHaveLength(1);
  },
);

test("when off there is no file, and a read-only folder turns it off", () => {
  const dataDir = tempFolder("usage");
  const off = openUsage({ dataDir, usage: "off" });
  off.note(SEARCH);
  off.close();
  expect(off.days()).toBeUndefined();
  expect(existsSync(join(dataDir, "usage.json"))).toBe(false);
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  const { usage } = counting(file);
  usage.note(SEARCH);
  usage.close();
  expect(usage.days()).toBeUndefined();
});

test("a query that is still being typed counts as one search, by its last outcome", () => {
  const dataDir = tempFolder("usage");
  const { usage, clock } = counting(dataDir);
  const typed = (found: boolean, typedBy = "ann") => usage.note({ kind: "search", found, typedBy });
  typed(false);
  usage.close();
  typed(false);
  typed(true);
  expect(usage.days()?.[0]).toMatchObject({ searches: 1, nothing: 0 });
  typed(true, "bob");
  clock.now = new Date(clock.now.getTime() + 60_000);
  typed(false, "bob");
  expect(usage.days()?.[0]).toMatchObject({ searches: 3, nothing: 1 });
});

test.each([
  ["knowledge-search", { results: [{}] }, { kind: "search", found: true }],
  ["knowledge-search", { results: [] }, { kind: "search", found: false }],
  ["search", { results: [] }, { kind: "search", found: false }],
  ["kb_answer", { outcome: "answered", grounded: true }, { kind: "answer", found: true }],
  ["kb_answer", { outcome: "related", grounded: false }, { kind: "answer", found: true }],
  ["kb_answer", { outcome: "nothing", grounded: false }, { kind: "answer", found: false }],
  ["kb_answer", { grounded: false }, { kind: "answer", found: false }],
  ["knowledge-show", { documents: [] }, undefined],
])("%s with %j is counted as %j", (tool, content, asked) => {
  expect(toCountedCall({ tool, content, who: "ann", meta: undefined })).toEqual(asked);
});
