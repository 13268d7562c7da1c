import { describe, expect, test } from "vitest";
import { openLine, type Share } from "./turns.ts";

const large = (caller: string): Share => ({ caller, isSmall: false });
const small = (caller: string): Share => ({ caller, isSmall: true });

describe("a line of callers", () => {
  test("gives one caller all places while nobody else waits", () => {
    const line = openLine(2);
    for (const one of [large("a"), large("a"), large("a")]) line.join(one);
    expect([line.start(), line.start(), line.start()]).toEqual([large("a"), large("a"), undefined]);
  });

  test.each([1, 2, 4])("lets callers take turns on %i places", (places) => {
    const line = openLine(places);
    const callers = ["a", "a", "a", "a", "a", "a", "b", "b", "c"];
    for (const caller of callers) line.join(large(caller));
    const order: string[] = [];
    for (let next = line.start(); next !== undefined; next = line.start()) {
      order.push(next.caller);
      line.leave(next);
    }
    expect(order).toEqual(["a", "b", "c", "a", "b", "a", "a", "a", "a"]);
  });

  test.each([1, 2, 4])("keeps a place for small files beside %i", (places) => {
    const line = openLine(places);
    for (let at = 0; at < places + 3; at += 1) line.join(large("a"));
    while (line.start() !== undefined);
    line.join(small("a"));
    line.join(small("b"));
    expect(line.start()).toEqual(small("b"));
    expect(line.start()).toBeUndefined();
    expect(line.waiting()).toHaveLength(4);
  });

  test("lets small files use every place, and a large one the next that is not theirs", () => {
    const line = openLine(1);
    const first = small("a");
    for (const one of [first, small("a"), large("a")]) line.join(one);
    expect([line.start(), line.start(), line.start()]).toEqual([first, small("a"), undefined]);
    line.leave(first);
    expect(line.start()).toEqual(large("a"));
  });
});
