// The requirements of the embed port, for each driver.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Embed } from "../../src/embed/embed.ts";

const TEXTS = [
  "The invoice is due within thirty days of delivery.",
  "Payment of the invoice is due thirty days after delivery.",
  "Penguins huddle together during the Antarctic winter.",
];

export function embedSuite(name: string, open: () => Promise<Embed>): void {
  describe(`embed: ${name}`, () => {
    let embed: Embed;
    beforeAll(async () => {
      embed = await open();
    });
    afterAll(() => embed.close());

    test("nothing is loaded before the first text", () => {
      expect(embed.state()).toEqual({ kind: "cold" });
    });

    test("a vector has the model's dimensions and length one", async () => {
      const vector = await embed.query("How long until an invoice must be paid?");
      expect(vector).toHaveLength(embed.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
      expect(embed.state()).toEqual({ kind: "ready" });
    });

    test("a text's vector is the same alone, among others and as a query", async () => {
      const together = await embed.passages(TEXTS);
      for (const [at, text] of TEXTS.entries()) {
        const [alone] = await embed.passages([text]);
        expect(alone).toEqual(together[at]);
        expect(await embed.query(text)).toEqual(together[at]);
      }
    });

    test("texts with the same meaning are nearer than texts without", async () => {
      const [invoice, paraphrase, penguins] = await embed.passages(TEXTS);
      expect(dot(invoice, paraphrase)).toBeGreaterThan(dot(invoice, penguins) + 0.2);
    });

    test("no texts give no vectors, and an empty text gives a usable one", async () => {
      expect(await embed.passages([])).toEqual([]);
      const [vector] = await embed.passages([""]);
      expect(vector?.every(Number.isFinite)).toBe(true);
    });

    test("progress counts up to the number of texts", async () => {
      const counts: number[] = [];
      await embed.passages(TEXTS, { onDone: (count) => counts.push(count) });
      expect(counts.at(-1)).toBe(TEXTS.length);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
    });

    test("a query does not wait for queued passages", async () => {
      const order: string[] = [];
      const many = Array.from({ length: 200 }, (_, at) => `Passage number ${at}. ${TEXTS[at % 3]}`);
      const passages = embed.passages(many).then(() => order.push("passages"));
      await embed.query("penguins in winter").then(() => order.push("query"));
      await passages;
      expect(order).toEqual(["query", "passages"]);
    });

    test("an aborted call rejects as cancelled and leaves the model usable", async () => {
      const stop = new AbortController();
      const many = Array.from({ length: 40 }, (_, at) => `Passage number ${at}.`);
      const call = embed.passages(many, { signal: stop.signal });
      stop.abort();
      await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
      await expect(embed.query("x", AbortSignal.abort())).rejects.toMatchObject({
        code: "CANCELLED",
      });
      expect(await embed.query("still here")).toHaveLength(embed.dimensions);
    });
  });
}

export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [at, value] of (a ?? []).entries()) sum += value * (b?.[at] ?? 0);
  return sum;
}
