import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import type { OddThread } from "../../../../test/support/children/odd-thread.ts";
import { lostWrite } from "../failures.ts";
import { type Calls, openCalls } from "./thread-rpc.ts";

const THREAD = new URL("../../../../test/support/children/odd-thread.ts", import.meta.url);
const opened: Calls<OddThread>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((calls) => calls.close()));
});

interface Opening {
  readonly startsEarly?: boolean;
  readonly failsFirst?: boolean;
}

function open({ startsEarly = false, failsFirst = false }: Opening = {}) {
  let threads = 0;
  const calls = openCalls<OddThread>({
    start() {
      threads += 1;
      if (failsFirst && threads === 1) throw new Error("no thread to be had");
      return new Worker(THREAD);
    },
    startsEarly,
    toLost: lostWrite,
    closeMs: 500,
  });
  opened.push(calls);
  return { calls, threads: () => threads };
}

test.each(["end", "unreadable"] as const)(
  "a thread that fails by '%s' is replaced; its call fails and the others go on",
  async (how) => {
    const { calls, threads } = open();
    await calls.call("echo", ["first"]);
    const lost = calls.call(how, []);
    const waiting = [calls.call("echo", [1]), calls.call("echo", [2])];
    await expect(lost).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("unknown whether the change was stored"),
      details: { outcome: "unknown" },
    });
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(threads()).toBe(2);
  },
);

test("a thread that dies while idle is replaced", async () => {
  const { calls } = open();
  await calls.call("crash", []).catch(() => {});
  await expect.poll(() => calls.call("echo", ["after"]).catch(() => "lost")).toBe("after");
});

test("a result that cannot be sent, and a failure, fail their call and keep the thread", async () => {
  const { calls, threads } = open();
  await expect(calls.call("unsendable", [])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await expect(calls.call("fail", [])).rejects.toThrow("broken on purpose");
  expect(await calls.call("echo", ["after"])).toBe("after");
  expect(threads()).toBe(1);
});

test("a thread that started ahead takes the first call", async () => {
  const { calls, threads } = open({ startsEarly: true });
  expect(threads()).toBe(1);
  expect(await calls.call("echo", ["first"])).toBe("first");
  expect(threads()).toBe(1);
});

test("a thread that cannot be started ahead fails no call", async () => {
  const { calls } = open({ startsEarly: true, failsFirst: true });
  expect(await calls.call("echo", ["first"])).toBe("first");
});

test("a thread that cannot be started fails its call, and the next call starts another", async () => {
  const { calls } = open({ failsFirst: true });
  await expect(calls.call("echo", ["first"])).rejects.toThrow("no thread to be had");
  expect(await calls.call("echo", ["second"])).toBe("second");
});

test("an argument that cannot be sent fails its call and no other", async () => {
  const { calls } = open();
  const outcomes = await Promise.allSettled([
    calls.call("echo", [() => {}]),
    calls.call("echo", ["after"]),
  ]);
  expect(outcomes).toMatchObject([{ status: "rejected" }, { value: "after" }]);
});

test("closing ends a thread that hangs, and all waiting calls get an error", async () => {
  const { calls } = open();
  await calls.call("echo", ["open"]);
  const outcomes = Promise.allSettled([calls.call("hang", []), calls.call("echo", ["late"])]);
  await calls.close();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "STORE_UNAVAILABLE" } });
  }
  await expect(calls.call("echo", ["later"])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});

test("closing starts no thread in place of one that is lost meanwhile", async () => {
  const { calls, threads } = open();
  await calls.call("echo", ["open"]);
  const ending = [calls.call("end", []), calls.release(), calls.close()];
  const outcomes = (await Promise.allSettled(ending)).map(({ status }) => status);
  expect(threads()).toBe(1);
  expect(outcomes).toEqual(["rejected", "fulfilled", "fulfilled"]);
});
