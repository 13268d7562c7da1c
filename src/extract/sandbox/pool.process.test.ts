import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { makePdfOfPages, STROKES } from "../../../test/support/files/raw-pdf.ts";
import { shippedUrl } from "../../../test/support/shipped.ts";
import {
  type TempExtract,
  type TempExtractOptions,
  tempExtract,
} from "../../../test/support/temp-extract.ts";

const MISBEHAVING = new URL("../../../test/support/children/misbehaving.ts", import.meta.url);
const SHIPPED = shippedUrl("extract/sandbox/child");
const closingUrl = new URL("../../../test/support/children/closing.ts", import.meta.url);
// Includes starting a reader process and waiting for its turn on a busy machine.
const STALL_MS = 12_000;
const LARGE = "x".repeat(100_000);
// Starting a process takes some computing too.
const COMPUTE_MS = 2_000;
// Most of these tests wait, so they do it side by side: each with a pool of its own, closed after all of them.
const open: TempExtract[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
});

async function openWith(options: TempExtractOptions = {}): Promise<TempExtract> {
  const extract = await tempExtract({ childUrl: MISBEHAVING, ...options });
  open.push(extract);
  return extract;
}

describe.concurrent("a PDF with a thousand pages in a few bytes", () => {
  test("ends with a clear error, and the next file is read", async () => {
    const limits = { computeMs: COMPUTE_MS, pages: 50 };
    const extract = await openWith({ childUrl: SHIPPED, limits });
    const bytes = makePdfOfPages(1_000, STROKES);
    await expect(extract.read("many.pdf", bytes)).rejects.toMatchObject({
      code: "EXTRACTION_TIMEOUT",
      message: expect.stringContaining("too long to read for its size"),
    });
    expect((await extract.read("next.md", "Next.")).text).toBe("Next.");
  });
});

describe.concurrent("a reader's process", () => {
  test("that hangs is killed, and the next file is read", async () => {
    const extract = await openWith({ limits: { stallMs: STALL_MS } });
    await expect(extract.read("hang", "x")).rejects.toMatchObject({ code: "EXTRACTION_TIMEOUT" });
    expect((await extract.read("fine", "x")).text).toMatch(/^\d+\/1\//);
  });

  test("that works for a long time is not treated as hanging", async () => {
    const extract = await openWith({ limits: { stallMs: STALL_MS } });
    expect((await extract.read("slow 15 s", "x")).text).toMatch(/^\d+\/1\//);
  });

  test("that finishes page after page, each too slowly for the file's size, is killed", async () => {
    const extract = await openWith({ limits: { computeMs: COMPUTE_MS } });
    await expect(extract.read("busy 8 s", LARGE)).rejects.toMatchObject({
      code: "EXTRACTION_TIMEOUT",
      message: expect.stringMatching(/too long to read for its size.* add that\.$/),
    });
    expect((await extract.read("fine", "x")).text).toMatch(/^\d+\/1\//);
  });

  test("that reads pictures has time for each of them", async () => {
    const extract = await openWith({ limits: { computeMs: COMPUTE_MS } });
    expect((await extract.read("busy 4 s reading pictures", LARGE)).text).toMatch(/^\d+\/1\//);
  });

  test("that waits for its turn on a busy machine has used none of its time", async () => {
    const extract = await openWith({ limits: { computeMs: COMPUTE_MS } });
    expect((await extract.read("slow 4 s", LARGE)).text).toMatch(/^\d+\/1\//);
  });

  test("that crashes fails only its own file", async () => {
    const extract = await openWith();
    await expect(extract.read("crash", "x")).rejects.toMatchObject({ code: "CORRUPT_FILE" });
    expect((await extract.read("fine", "x")).text).toMatch(/^\d+\/1\//);
  });

  test("that sends garbage fails only its own file", async () => {
    const extract = await openWith({ workers: 4 });
    const what =
      "noise length bytes version null text kind document view product word code progress depth".split(
        " ",
      );
    const reads = what.map((each) => extract.read(`odd ${each}`, "x").catch((error) => error));
    for (const outcome of await Promise.all(reads))
      expect(outcome).toMatchObject({ code: "CORRUPT_FILE" });
    expect((await extract.read("fine", "x")).text).toMatch(/^\d+\/1\//);
  });

  test.sequential("that takes too much memory is killed, and the server is unaffected", async () => {
    const before = process.memoryUsage.rss();
    const extract = await openWith({ limits: { childRssBytes: 200 * 1024 * 1024 } });
    await expect(extract.read("flood", "x")).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  });

  test("ends when its read is cancelled", async () => {
    const extract = await openWith();
    const [pid] = (await extract.read("fine", "x")).text.split("/");
    const abort = new AbortController();
    const reading = extract.read("hang", "x", { signal: abort.signal });
    setTimeout(() => abort.abort(), 100);
    await expect(reading).rejects.toMatchObject({ code: "CANCELLED" });
    await eventually(async () => expect(await isRunning(Number(pid))).toBe(false));
  });

  test("serves file after file, with nothing of the server's environment", async () => {
    const extract = await openWith();
    const [first, second] = [await extract.read("a", "x"), await extract.read("b", "x")];
    const [pid, , variables] = first.text.split("/");
    expect(second.text).toBe(`${pid}/2/${variables}`);
    expect(Number(variables)).toBeLessThanOrEqual(2);
  });

  test("is one of a limited number; other files wait", async () => {
    const extract = await openWith({ workers: 2 });
    const names = ["a", "slow 2 s", "c", "slow 2 s", "e"];
    const read = await Promise.all(names.map((name) => extract.read(name, LARGE)));
    expect(new Set(read.map((document) => document.text.split("/")[0])).size).toBe(2);
  });

  test("reads a small file while large ones hold all others", async () => {
    const extract = await openWith({ workers: 2 });
    const abort = new AbortController();
    const { signal } = abort;
    const large = [1, 2, 3, 4, 5, 6].map(() => extract.read("hang", LARGE, { signal }));
    const ends = Promise.allSettled(large);
    expect((await extract.read("small", "x")).text).toMatch(/^\d+\/1\//);
    abort.abort();
    expect((await ends).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("reads for one caller after the other, however much one of them has waiting", async () => {
    const extract = await openWith({ workers: 1 });
    const order: string[] = [];
    const read = async (caller: string) => {
      await extract.read("slow 1 s", LARGE, { caller });
      order.push(caller);
    };
    await Promise.all(["a", "a", "a", "a", "b", "c"].map(read));
    expect([...order.slice(0, 3)].sort()).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["is ended", "outlived"],
    ["crashed", "outlived crash"],
  ])("that %s keeps an otherwise idle process alive", async (_how, filename) => {
    const closing = spawn(process.execPath, [fileURLToPath(closingUrl), filename], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const stderr = text(closing.stderr);
    const [code] = await once(closing, "exit");
    expect(code, await stderr).toBe(0);
  });

  test("ends with the pool, and waiting reads get an error", async () => {
    const extract = await openWith();
    const [pid] = (await extract.read("fine", "x")).text.split("/");
    // The file already exists, so the only reader has it when the call returns.
    const path = fileURLToPath(MISBEHAVING);
    const read = (filename: string) =>
      extract
        .extract({ path, filename, forceOcr: false, sizeBytes: 1, caller: "owner" })
        .catch((error: unknown) => error);
    const reading = read("hang");
    const waiting = read("fine");
    await extract.close();
    expect(await waiting).toMatchObject({ code: "CANCELLED" });
    expect(await reading).toBeInstanceOf(Error);
    await eventually(async () => expect(await isRunning(Number(pid))).toBe(false));
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
