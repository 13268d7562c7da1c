import fc from "fast-check";
import { expect, test } from "vitest";
import { openQuota } from "./quota.ts";

test("no order of taking and returning exceeds a limit or loses anything", () => {
  const step = fc.record({
    caller: fc.constantFrom("ann", "ben", "__proto__"),
    amount: fc.integer({ min: 1, max: 6 }),
    gives: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const quota = openQuota({ total: 20, perCaller: 12 });
      const held = new Map<string, number[]>();
      for (const { caller, amount, gives } of steps) {
        const own = held.get(caller) ?? [];
        const given = gives ? own.pop() : undefined;
        if (given !== undefined) quota.give(caller, given);
        else if (quota.take(caller, amount)) own.push(amount);
        held.set(caller, own);
        const sums = [...held].map(
          ([name, parts]) => [name, parts.reduce((a, b) => a + b, 0)] as const,
        );
        for (const [name, sum] of sums) {
          expect(quota.heldBy(name)).toBe(sum);
          expect(sum).toBeLessThanOrEqual(12);
        }
        expect(quota.held()).toBe(sums.reduce((all, [, sum]) => all + sum, 0));
        expect(quota.held()).toBeLessThanOrEqual(20);
      }
    }),
  );
});
