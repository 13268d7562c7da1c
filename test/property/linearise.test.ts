// The checker of histories: it accepts what a real register could have done, and notices what none could.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeStretch } from "../../stress/history/judge.ts";
import { linearise, type Timed } from "../../stress/history/linearise.ts";
import { type DocumentOp, documentModel, type Values } from "../../stress/history/models.ts";
import type { Asked } from "../../stress/history/record.ts";

type Event = Timed<DocumentOp>;
const check = (history: readonly Event[], initial: Values = {}) =>
  linearise(history, initial, documentModel).kind;

const at = (from: number, to: number, op: DocumentOp): Event => ({ from, to, op });
const maybe = (from: number, op: DocumentOp): Event => ({ from, to: 1_000, op, maybe: true });
const put = (key: string, value: string): DocumentOp => ({ kind: "put", key, value });
const read = (key: string, value: string): DocumentOp => ({ kind: "read", key, value });
const list = (values: Values): DocumentOp => ({ kind: "list", values });
const clear = (count: number): DocumentOp => ({ kind: "clear", count });

describe("impossible results are detected", () => {
  test.each<[string, readonly Event[]]>([
    ["a lost write", [at(0, 1, put("a", "1")), at(2, 3, read("a", ""))]],
    ["a stale read", [at(0, 1, put("a", "1")), at(2, 3, put("a", "2")), at(4, 5, read("a", "1"))]],
    [
      "a document that comes back after its removal",
      [
        at(0, 1, put("a", "1")),
        at(2, 3, { kind: "remove", key: "a", value: "1" }),
        at(4, 5, read("a", "")),
        at(6, 7, read("a", "1")),
      ],
    ],
    [
      "a document that comes back after a clear",
      [at(0, 1, put("a", "1")), at(2, 3, clear(1)), at(4, 5, list({ a: "1" }))],
    ],
    ["a content that nobody wrote", [at(0, 1, put("a", "1")), at(0, 2, read("a", "9"))]],
    [
      "half of a clear",
      [
        at(0, 1, put("a", "1")),
        at(2, 3, put("b", "1")),
        at(4, 9, clear(2)),
        at(5, 6, list({ b: "1" })),
      ],
    ],
    ["a clear that counts what was not there", [at(0, 1, put("a", "1")), at(2, 3, clear(2))]],
    [
      "two reads that saw two writes in different orders",
      [
        at(0, 9, put("a", "1")),
        at(0, 9, put("a", "2")),
        at(1, 2, read("a", "1")),
        at(3, 4, read("a", "2")),
        at(5, 6, read("a", "1")),
      ],
    ],
    [
      "a killed write that takes effect twice",
      [
        maybe(0, put("a", "1")),
        at(1, 2, read("a", "1")),
        at(3, 4, put("a", "2")),
        at(5, 6, read("a", "2")),
        at(7, 8, read("a", "1")),
      ],
    ],
    [
      "an add that found its content where it was not",
      [at(0, 1, { kind: "present", key: "a", value: "1" })],
    ],
  ])("%s", (_fault, history) => {
    expect(check(history)).toBe("violation");
  });

  test("the report names the unexplained results", () => {
    const lost = at(2, 3, read("a", ""));
    expect(linearise([at(0, 1, put("a", "1")), lost], {}, documentModel)).toEqual({
      kind: "violation",
      stuckAt: lost,
    });
  });
});

describe("possible results are accepted", () => {
  test.each<[string, readonly Event[]]>([
    ["a read beside a write sees either state", [at(0, 9, put("a", "1")), at(1, 2, read("a", ""))]],
    [
      "a killed write takes effect late",
      [maybe(0, put("a", "1")), at(1, 2, read("a", "")), at(3, 4, read("a", "1"))],
    ],
    ["a killed write never takes effect", [maybe(0, put("a", "1")), at(9, 9, list({}))]],
    [
      "a clear beside a write takes it along or not",
      [at(0, 9, put("a", "1")), at(0, 9, clear(0)), at(10, 11, read("a", "1"))],
    ],
  ])("%s", (_fact, history) => {
    expect(check(history)).toBe("linearisable");
  });
});

describe("what order alone does not explain", () => {
  const asked = (from: number, to: number, given: Partial<Asked>): Asked => ({
    member: "m1",
    request: { kind: "list" },
    key: "",
    value: "",
    from,
    to,
    reply: { kind: "answer", answer: {} },
    task: undefined,
    ...given,
  });
  const putRule = (from: number, to: number, content: string) =>
    asked(from, to, {
      request: { kind: "put-rule", keyword: "r", content },
      key: "r",
      value: content,
    });
  const readRule = (from: number, to: number, content: string) =>
    asked(from, to, {
      request: { kind: "read-rule", keyword: "r" },
      key: "r",
      reply: { kind: "answer", answer: { content } },
    });
  const added = asked(0, 1, {
    request: { kind: "put", path: "/a", key: "a" },
    key: "a",
    value: "v1",
    task: "t1",
    reply: { kind: "answer", answer: { status: "cancelled", present: false } },
  });
  const cleared = asked(0, 2, {
    request: { kind: "clear" },
    reply: { kind: "answer", answer: { count: 0 } },
  });
  const judge = (
    history: readonly Asked[],
    { rules = {}, broken = [] as string[], status = "cancelled" } = {},
  ) =>
    judgeStretch(
      {
        asked: history,
        settledAt: 100,
        settled: { tasks: new Map([["t1", status]]), documents: [], broken, rules },
        kills: 0,
        pauses: 0,
      },
      { before: { documents: {}, rules: {} }, staleMs: 50 },
    ).violations;

  test("a server that reads an older rule after a newer one is a violation", () => {
    const puts = [putRule(0, 1, "old"), putRule(2, 3, "new")];
    const [first, second] = [readRule(4, 5, "new"), readRule(6, 7, "old")];
    const rules = { r: "new" };
    expect(judge([...puts, first, second], { rules })).toContain("m1 saw r go back to old");
    expect(judge([...puts, { ...first, member: "m2" }, second], { rules })).toEqual([]);
  });

  test("a task may be cancelled by a clear, and by nothing else", () => {
    expect(judge([added, cleared])).toEqual([]);
    expect(judge([added])).toEqual(["a: failed with undefined"]);
  });

  test("a task that is still open, and a lost original, are violations", () => {
    const open = { ...added, reply: { kind: "dead" } as const };
    expect(judge([open], { status: "queued" })).toEqual(["the acknowledged task of a is queued"]);
    expect(judge([], { broken: ["b.md"] })).toEqual(["b.md has lost its original"]);
  });
});

const key = fc.constantFrom("a", "b", "c");
const step = fc.record({
  key,
  kind: fc.constantFrom("put", "remove", "clear", "read", "list"),
  // How long before its effect it was asked for, and how long after it was answered.
  before: fc.nat(30),
  after: fc.nat(30),
  isKilled: fc.boolean(),
});

/** A history whose order is known: one effect after another, ten apart. */
function happen(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  let state: Values = {};
  const history: Event[] = [];
  for (const [turn, { kind, key: k, before, after, isKilled }] of steps.entries()) {
    const now = (turn + 3) * 10;
    const op = toOp(kind, k, { turn, state });
    if (!op) continue;
    state = documentModel.apply(state, op) as Values;
    const isChange = kind === "put";
    history.push(
      isKilled && isChange ? maybe(now - before, op) : at(now - before, now + after, op),
    );
  }
  return { history, state };
}

function toOp(kind: string, k: string, { turn, state }: { turn: number; state: Values }) {
  if (kind === "put") return put(k, `v${turn}`);
  if (kind === "clear") return clear(Object.keys(state).length);
  if (kind === "list") return list(state);
  if (kind === "read") return read(k, state[k] ?? "");
  const value = state[k];
  return value === undefined ? undefined : ({ kind: "remove", key: k, value } as const);
}

test("every history that happened is accepted", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { history, state } = happen(steps);
      expect(check([...history, at(5_000, 5_000, list(state))])).toBe("linearisable");
    }),
    { numRuns: 200 },
  );
});

test("no history that ends with a document nobody wrote is accepted", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), key, (steps, k) => {
      const { history, state } = happen(steps);
      const wrong = at(5_000, 5_000, list({ ...state, [k]: "nobody's" }));
      expect(check([...history, wrong])).toBe("violation");
    }),
    { numRuns: 100 },
  );
});
