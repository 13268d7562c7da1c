import { expect, test } from "vitest";
import { toTrace } from "./trace.ts";

const ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${ID}-00f067aa0ba902b7-01`;

test("a valid trace context is used unchanged", () => {
  const meta = { traceparent: PARENT, tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE" };
  expect(toTrace(meta)).toEqual({ id: ID, ...meta });
  expect(toTrace({ traceparent: `01-${ID}-00f067aa0ba902b7-01-more` })?.id).toBe(ID);
});

test.each([
  undefined,
  "",
  42,
  `${PARENT}\n`,
  `${PARENT}-more`,
  PARENT.toUpperCase(),
  `ff-${ID}-00f067aa0ba902b7-01`,
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `00-${ID}-${"0".repeat(16)}-01`,
  `00-${ID}-00f067aa0ba902b7`,
  `01-${ID}-00f067aa0ba902b7-01-${"x".repeat(600)}`,
])("%j is not a context", (traceparent) => {
  expect(toTrace({ traceparent })).toBeUndefined();
});

test.each([
  "",
  7,
  "noequals",
  "a=b\r\nx-injected: 1",
  "A=b",
  "a=b=c",
  "a=ü",
  `a=${"x".repeat(600)}`,
  Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(","),
])("the state %j is dropped, the context stays", (tracestate) => {
  expect(toTrace({ traceparent: PARENT, tracestate })).toEqual({ id: ID, traceparent: PARENT });
});
