import { setImmediate as yieldToLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { silentLog } from "../../test/support/silent-log.ts";
import type { Embed, EmbedState, Light } from "../embed/embed.ts";
import type { DocumentStore } from "../store/store.ts";
import { type ColdStart, recallByMeaning, warmUp } from "./recall-meaning.ts";

const BY_LIGHT = new Float32Array([1, 0]);
const BY_MODEL = new Float32Array([0, 1]);

/** Which encoder read the question, and how often the model was asked, with a model in this state. */
async function ask(coldStart: ColdStart, kind: Exclude<EmbedState["kind"], "failed">) {
  const asked: { model: number; vector?: Float32Array } = { model: 0 };
  const light = { encode: () => BY_LIGHT, encoderFor: () => "model" } as unknown as Light;
  const embed = {
    fingerprint: "m",
    light: { fingerprint: "l", load: async () => light },
    query: async () => {
      asked.model += 1;
      return BY_MODEL;
    },
    state: () => ({ kind }),
  } as unknown as Embed;
  const store = {
    nearest: async ({ vector }: { vector: Float32Array }) => {
      asked.vector = vector;
      return [];
    },
  } as unknown as DocumentStore;
  const parts = { store, embed, log: silentLog(), coldStart };
  const recall = await recallByMeaning(parts, { text: "a question", light }, { limit: 5 });
  warmUp(parts, "a question", recall);
  const before = asked.model;
  await yieldToLoop();
  return { by: asked.vector === BY_LIGHT ? "light" : "model", before, model: asked.model };
}

test.each([
  ["wait", "cold", "model", 1, 1],
  ["warm", "cold", "light", 0, 1],
  ["warm", "loading", "light", 0, 0],
  ["warm", "ready", "model", 1, 1],
  ["light", "cold", "light", 0, 0],
  ["light", "ready", "model", 1, 1],
] as const)(
  "%s: while the model is %s the %s encodes a question; a cold model is loaded after it",
  async (start, kind, by, before, model) => {
    expect(await ask(start, kind)).toEqual({ by, before, model });
  },
);
