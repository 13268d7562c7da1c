import { expect, test } from "vitest";
import { openKept } from "./kept.ts";

const open = () => openKept<string>({ mostBytes: 10, sizeOf: (text) => text.length });
const { signal } = new AbortController();

test("a value is made once, also for callers who came meanwhile", async () => {
  const kept = open();
  let made = 0;
  const make = async () => {
    made += 1;
    return "page";
  };
  await Promise.all([kept.get("a", make, signal), kept.get("a", make, signal)]);
  expect(await kept.get("a", make, signal)).toBe("page");
  expect(made).toBe(1);
});

test("the least recently used goes first", async () => {
  const kept = open();
  const made: string[] = [];
  const get = (key: string) =>
    kept.get(
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
  const kept = open();
  await expect(kept.get("a", () => Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(await kept.get("a", async () => "yes", signal)).toBe("yes");
});

test("it is stopped when the last caller leaves, and made again for the next", async () => {
  const kept = open();
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
    kept.get("a", make, each.signal).catch((error: Error) => error.message),
  );
  first.abort();
  expect(stopped).toEqual([]);
  second.abort();
  const next = kept.get("a", async () => "new", signal);
  expect(await Promise.all(waits)).toEqual(["stopped", "stopped"]);
  expect(await next).toBe("new");
});
