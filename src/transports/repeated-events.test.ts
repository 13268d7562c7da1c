import { expect, test } from "vitest";
import { openLog } from "../observe/log.ts";
import { openRepeatedEvents } from "./repeated-events.ts";

function open() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ level: "info", write: (line) => void lines.push(JSON.parse(line)) });
  return { lines, events: openRepeatedEvents({ log, level: "warn", event: "test.refused" }) };
}

test("hundreds of refusals are two lines: the first, and how many more", () => {
  const { lines, events } = open();
  for (let count = 0; count < 400; count++) {
    const address = `192.0.2.${count % 20}`;
    events.note({ kind: "token", fields: { status: 401 }, address });
  }
  events.close();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ event: "test.refused", status: 401, address: "192.0.2.0" });
  expect(lines[1]).toMatchObject({ status: 401, more: 399 });
  expect(lines[1]?.["addresses"]).toHaveLength(5);
});

test("each kind has its own count, and one alone has one line", () => {
  const { lines, events } = open();
  for (const kind of ["host", "origin", "host"]) events.note({ kind, fields: { kind } });
  events.close();
  expect(lines.map(({ kind, more }) => [kind, more])).toEqual([
    ["host", undefined],
    ["origin", undefined],
    ["host", 1],
  ]);
});

test("countless kinds do not write countless lines", () => {
  const { lines, events } = open();
  for (let kind = 0; kind < 5_000; kind++) events.note({ kind: `k${kind}`, fields: {} });
  events.close();
  expect(lines.length).toBeLessThan(110);
});
