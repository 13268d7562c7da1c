import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { OWNER, type Principal } from "../../domain/call/principal.ts";
import { networkOf, openGuard } from "./guard.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "::ffff:192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["", ""],
])("attempts from %s count for %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe("tokens that arrive at the same time", () => {
  const MAX_WRONG = 30;
  const tokens = (count: number) => Array.from({ length: count }, (_, at) => `token-${at}`);

  /** A guard that checks nothing before it is released. */
  function open(isRight: (token: string) => boolean) {
    const checked: string[] = [];
    const released = Promise.withResolvers<void>();
    const authenticate = async (token = ""): Promise<Principal | undefined> => {
      checked.push(token);
      await released.promise;
      return isRight(token) ? OWNER : undefined;
    };
    const options = { host: "127.0.0.1", allowedHosts: [], allowedOrigins: [] };
    const guard = openGuard({ ...options, authenticate });
    const knock = async (token: string) => {
      const headers = { host: "127.0.0.1", authorization: `Bearer ${token}` };
      const request = { headers, socket: { remoteAddress: "192.0.2.7" } };
      const admission = await guard.admit(request as unknown as IncomingMessage);
      return admission.ok ? 200 : admission.refusal.status;
    };
    return { checked, knock, release: released.resolve };
  }
  const count = (statuses: readonly number[], status: number) =>
    statuses.filter((each) => each === status).length;

  test("are counted before they are checked", async () => {
    const { checked, knock, release } = open(() => false);
    const knocks = tokens(200).map(knock);
    release();
    const statuses = await Promise.all(knocks);
    expect(checked.length).toBeLessThanOrEqual(MAX_WRONG);
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([MAX_WRONG, 200 - MAX_WRONG]);
  });

  test("count nothing if they are right", async () => {
    const { knock, release } = open(() => true);
    release();
    for (const token of tokens(MAX_WRONG * 3)) expect(await knock(token)).toBe(200);
  });

  test("are one try if they are one token", async () => {
    const { checked, knock, release } = open(() => true);
    const knocks = Array.from({ length: 200 }, () => knock("the-same"));
    release();
    expect(count(await Promise.all(knocks), 200)).toBe(200);
    expect(checked).toEqual(["the-same"]);
  });
});
