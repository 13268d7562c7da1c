import { expect, test } from "vitest";
import { openLog } from "../../observe/log.ts";
import { openTally } from "./tally.ts";

function open() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ level: "info", write: (line) => void lines.push(JSON.parse(line)) });
  return { lines, tally: openTally({ log, level: "warn", event: "test.refused" }) };
}

test("hundreds of refusals are two lines: the first, and how many more", () => {
  const { lines, tally } = open();
  for (let count = 0; count < 400; count++) {
    const address = `192.0.2.${count % 20}`;
    tally.note({ kind: "token", fields: { status: 401 }, address });
  }
  tally.close();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ event: "test.refused", status: 401, address: "192.0.2.0" });
  expect(lines[1]).toMatchObject({ status: 401, more: 399 });
  expect(lines[1]?.["addresses"]).toHaveLength(5);
});

test("each kind has its own count, and one alone has one line", () => {
  const { lines, tally } = open();
  for (const kind of ["host", "origin", "host"]) tally.note({ kind, fields: { kind } });
  tally.close();
  expect(lines.map(({ kind, more }) => [kind, more])).toEqual([
    ["host", undefined],
    ["origin", undefined],
    ["host", 1],
  ]);
});

test("countless kinds do not write countless lines", () => {
  const { lines, tally } = open();
  for (let kind = 0; kind < 5_000; kind++) tally.note({ kind: `k${kind}`, fields: {} });
  tally.close();
  expect(lines.length).toBeLessThan(110);
});
