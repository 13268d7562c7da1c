import { describe, expect, test } from "vitest";
import { toRpcMessage } from "./message.ts";

const base = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a request", () => {
  test("with unknown members is accepted without them", () => {
    const value = JSON.parse('{"jsonrpc":"2.0","id":1,"method":"ping","more":1,"__proto__":{}}');
    expect(toRpcMessage(value)).toEqual({ ok: true, message: base });
  });

  test("that is also a response is treated as a request", () => {
    expect(toRpcMessage({ ...base, result: {} })).toEqual({ ok: true, message: base });
  });

  test.each([5, "x", [], { progressToken: {} }, { progressToken: 1.5 }])(
    "with the _meta %j is refused with its id",
    (_meta) => {
      const parsed = toRpcMessage({ ...base, params: { _meta } });
      expect(parsed).toMatchObject({ ok: false, error: { id: 1, error: { code: -32602 } } });
    },
  );

  test("with a _meta of the protocol's shape is accepted", () => {
    const message = { ...base, params: { _meta: { progressToken: "a", more: 1 } } };
    expect(toRpcMessage(message)).toEqual({ ok: true, message });
  });
});
