import { expect, test } from "vitest";
import { openResultCache } from "./result-cache.ts";

const open = () => openResultCache<string>({ mostBytes: 10, sizeOf: (text) => text.length });
const { signal } = new AbortController();
const GIVEN_UP = "This operation was aborted";

test("a value is made once, also for callers who came meanwhile", async () => {
  const cache = open();
  let made = 0;
  const make = async () => {
    made += 1;
    return "page";
  };
  await Promise.all([cache.get("a", make, signal), cache.get("a", make, signal)]);
  expect(await cache.get("a", make, signal)).toBe("page");
  expect(made).toBe(1);
});

test("the least recently used goes first", async () => {
  const cache = open();
  const made: string[] = [];
  const get = (key: string) =>
    cache.get(
      key,
      async () => {
        made.push(key);
        return "1234";
      },
      signal,
    );
  for (const key of ["a", "b", "a", "c", "a", "b"]) await get(key);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("a failure is not kept", async () => {
  const cache = open();
  await expect(cache.get("a", () => Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(await cache.get("a", async () => "yes", signal)).toBe("yes");
});

test("it is stopped when the last caller leaves, and made again for the next", async () => {
  const cache = open();
  const [first, second] = [new AbortController(), new AbortController()];
  const stopped: string[] = [];
  const make = (ours: AbortSignal) =>
    new Promise<string>((_, reject) => {
      ours.addEventListener("abort", () => {
        stopped.push("stopped");
        reject(new Error("stopped"));
      });
    });
  const waits = [first, second].map((each) =>
    cache.get("a", make, each.signal).catch((error: Error) => error.message),
  );
  first.abort();
  expect(stopped).toEqual([]);
  second.abort();
  const next = cache.get("a", async () => "new", signal);
  expect(await Promise.all(waits)).toEqual([GIVEN_UP, GIVEN_UP]);
  expect(await next).toBe("new");
});

test("a caller that gives up leaves at once, and the others get the value", async () => {
  const cache = open();
  const made = Promise.withResolvers<string>();
  const [first, gone] = [new AbortController(), AbortSignal.abort()];
  const leaving = cache.get("a", () => made.promise, first.signal);
  const staying = cache.get("a", () => made.promise, signal);
  first.abort();
  await expect(leaving).rejects.toThrow(GIVEN_UP);
  await expect(cache.get("a", () => made.promise, gone)).rejects.toThrow(GIVEN_UP);
  made.resolve("page");
  expect(await staying).toBe("page");
});
