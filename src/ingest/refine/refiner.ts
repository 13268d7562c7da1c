// Refines vectors in the background, in small steps that are stored one by one.
//
//   resting ──a timer, or something was stored──▶ refining ──nothing left, or an add came──▶ resting
//                                                    └─ closing: its claims are released

import { searchText } from "../../chunk/chunk.ts";
import { backgroundEvent } from "../../domain/call/audit-event.ts";
import type { Light } from "../../embed/embed.ts";
import type {
  ClaimedChunk,
  ClaimedDocument,
  Encoders,
  NewDocument,
  RefinedChunk,
  RefinedDocument,
  RefinementStore,
} from "../../store/store.ts";
import { loadLight, toLight, unlessUnavailable } from "../add/indexer.ts";
import type { IngestOptions } from "../ingest.ts";
import { openBackOff } from "../queue/back-off.ts";
import { openRounds } from "../queue/background.ts";
import { isDead, nameWorker } from "../queue/worker-name.ts";

interface RefinerOptions
  extends Pick<IngestOptions, "embed" | "allowsChanges" | "perform" | "log"> {
  readonly refinements: RefinementStore;
  /** Which documents to refine; without `encoders`, none. */
  readonly under: Pick<NewDocument, "fingerprint" | "encoders">;
  /** While it returns true, refining waits, because adds take precedence. */
  readonly isBusy: () => boolean;
  /** A clock in milliseconds, for the wait after a failure. */
  readonly now?: () => number;
}

// About a second of the model's work. This much is lost if the process dies, and an add shares the cores for this long.
const STEP_CHUNKS = 64;
// No step takes this long unless the machine sleeps.
const LEASE_MS = 120_000;
const POLL_MS = 2_000;
// How often to look for documents left by other processes or older programs.
const LOOK_EVERY_MS = 60_000;

interface Work extends RefinerOptions {
  readonly under: Encoders;
  readonly worker: string;
  readonly state: { lookAtMs: number; hasModel: boolean };
}

interface Until {
  readonly signal: AbortSignal;
  readonly mustPause: () => boolean;
}

export function openRefiner(options: RefinerOptions) {
  const { isBusy, refinements, log, now } = options;
  const { fingerprint, encoders } = options.under;
  const under = encoders === undefined ? undefined : { fingerprint, encoders };
  const work = { ...options, worker: nameWorker(), state: { lookAtMs: 0, hasModel: true } };
  const backOff = openBackOff(now);
  const failure = { reported: "" };
  const round = (signal: AbortSignal) => {
    if (!under || isBusy() || backOff.isOn()) return undefined;
    return refineAll({ ...work, under }, { signal, mustPause: isBusy }).then(() => {
      backOff.end();
      failure.reported = "";
    });
  };
  // A read-only folder usually stays read-only for a long time, so a failure is reported once and retried less and
  // less often.
  const onFailure = (error: unknown) => {
    backOff.start();
    if (failure.reported !== String(error)) log.warn("ingest.refine-failed", { error });
    failure.reported = String(error);
  };
  const rounds = openRounds(round, { everyMs: POLL_MS, onFailure });
  return {
    ...rounds,
    /** Refines until nothing is left or the signal is aborted. */
    async run(signal: AbortSignal) {
      await rounds.idle();
      work.state.lookAtMs = 0;
      const both = AbortSignal.any([signal, rounds.signal]);
      const until = { signal: both, mustPause: () => false };
      if (under) await refineAll({ ...work, under }, until).catch(ignoreIfAborted(both));
    },
    waiting: async () => (under ? refinements.waiting(under) : { documents: 0, chunks: 0 }),
  };
}

async function refineAll(work: Work, until: Until): Promise<void> {
  const { worker, state, embed, refinements, perform, log } = work;
  if (!(await work.allowsChanges())) return;
  if (performance.now() >= state.lookAtMs) await recheckHolders(work);
  const first = await claim(work);
  if (first.length === 0) return;
  try {
    const light = await loadLight(embed, log);
    if (!light) return;
    // Writes one audit line per run, because the documents' content does not change.
    const event = backgroundEvent("refine", { documents: String(first.length) });
    await perform(event, () => refine(work, { first, light, ...until }));
  } finally {
    await refinements.release(worker);
  }
}

/** Repeated at intervals, because the model may be available again and dead processes leave claims behind. */
async function recheckHolders({ refinements, state }: Work): Promise<void> {
  state.hasModel = true;
  for (const holder of await refinements.holders()) {
    if (isDead(holder)) await refinements.release(holder);
  }
}

async function claim({ refinements, under, worker, state }: Work) {
  const looksForOld = performance.now() >= state.lookAtMs;
  const what = state.hasModel ? "all" : "unchecked";
  const size = { leaseMs: LEASE_MS, chunks: STEP_CHUNKS };
  const claimed = await refinements.claim({ ...under, ...size, worker, what, looksForOld });
  if (looksForOld && claimed.length === 0) state.lookAtMs = performance.now() + LOOK_EVERY_MS;
  return claimed;
}

interface Refining extends Until {
  readonly first: readonly ClaimedDocument[];
  readonly light: Light;
}

async function refine(work: Work, { first, light, signal, mustPause }: Refining): Promise<void> {
  const { worker, state, embed, refinements, log } = work;
  for (let claimed = first; claimed.length > 0; claimed = await claim(work)) {
    const step = await refineStep(claimed, { embed, light, signal, log }).catch(
      ignoreIfAborted(signal),
    );
    if (step === undefined) return;
    const chunks = await refinements.storeVectors(worker, step.documents);
    log.debug("ingest.refined", { chunks });
    state.hasModel &&= step.hasModel;
    if (signal.aborted || mustPause()) return;
  }
}

/** An interrupted step is not a failure: nothing of it was stored, and its chunks are claimed again. */
function ignoreIfAborted(signal: AbortSignal) {
  return (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };
}

interface StepParts extends Pick<RefinerOptions, "embed" | "log"> {
  readonly light: Light;
  readonly signal: AbortSignal;
}

interface Read {
  readonly chunk: ClaimedChunk;
  readonly text: string;
  readonly encoder: "model" | "light";
}

/** Encodes some claimed chunks with the encoder that reads them best; those of an unavailable model stay unchanged. */
async function refineStep(
  claimed: readonly ClaimedDocument[],
  { embed, light, signal, log }: StepParts,
): Promise<{ readonly documents: readonly RefinedDocument[]; readonly hasModel: boolean }> {
  const read = new Map<number, Read>();
  for (const document of claimed) {
    for (const chunk of document.chunks) {
      const text = searchText(chunk, document);
      read.set(chunk.key, { chunk, text, encoder: light.encoderFor(text) });
    }
  }
  const forModel = [...read.values()].filter(isForModel);
  const texts = forModel.map(({ text }) => text);
  const encoding = texts.length === 0 ? [] : embed.passages(texts, { signal });
  const vectors = await unlessUnavailable(encoding, log);
  const made = new Map(forModel.map(({ chunk }, at) => [chunk.key, vectors?.[at]]));
  const documents = claimed.map(({ id, chunks }) => ({
    id,
    chunks: chunks.flatMap(({ key }) => settled(read.get(key) as Read, made.get(key), light)),
  }));
  return { documents, hasModel: vectors !== undefined };
}

function isForModel({ chunk, encoder }: Read): boolean {
  return encoder === "model" && chunk.madeBy !== "model";
}

function settled(
  { chunk, text, encoder }: Read,
  vector: Float32Array | undefined,
  light: Light,
): readonly RefinedChunk[] {
  const { key, madeBy, isUnchecked } = chunk;
  if (encoder === "light") return [{ key, ...toRefined(light, text, "light") }];
  if (madeBy === "model") return [{ key, encoding: "model" }];
  if (vector) return [{ key, encoding: "model", vector }];
  // Marked as waiting until the model is available.
  return isUnchecked ? [{ key, ...toRefined(light, text, "waiting") }] : [];
}

function toRefined(light: Light, text: string, encoding: "light" | "waiting") {
  const { vector } = toLight(light.encode(text), encoding);
  return vector ? { encoding, vector } : { encoding };
}
