// Refines vectors in the background, in small steps that are stored one by one.
//
//   resting ──a timer, or something was stored──▶ refining ──nothing left, or an add came──▶ resting
//                                                    └─ closing: its claims are released
import { backgroundEvent, type Perform } from "../../domain/call/audit-event.ts";
import type { Embed, Light } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type { ClaimedDocument, Encoders, NewDocument, RefinementStore } from "../../store/store.ts";
import { loadLight } from "../add/encode.ts";
import { openBackOff } from "../queue/back-off.ts";
import { isDead, nameWorker } from "../queue/worker-name.ts";
import { refineStep } from "./refine-step.ts";

export interface RefinerOptions {
  readonly refinements: RefinementStore;
  readonly embed: Embed;
  /** Which documents to refine; without `encoders`, none. */
  readonly under: Pick<NewDocument, "fingerprint" | "encoders">;
  /** While it returns true, refining waits, because adds take precedence. */
  readonly isBusy: () => boolean;
  readonly allowsChanges: () => Promise<boolean>;
  readonly perform: Perform;
  readonly log: Log;
  /** A clock in milliseconds, for the wait after a failure. */
  readonly now?: () => number;
}

export interface Refiner {
  start(): void;
  /** Call it when there may be something to refine. */
  wake(): void;
  /** Refines until nothing is left or the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  waiting(): Promise<{ readonly documents: number; readonly chunks: number }>;
  close(): Promise<void>;
}

// About a second of the model's work. This much is lost if the process dies, and an add shares the cores for this long.
const STEP_CHUNKS = 64;
// No step takes this long unless the machine sleeps.
const LEASE_MS = 120_000;
const POLL_MS = 2_000;
// How often to look for documents left by other processes or older programs.
const LOOK_EVERY_MS = 60_000;

interface Work {
  readonly options: RefinerOptions;
  readonly under: Encoders;
  readonly worker: string;
  readonly state: { lookAtMs: number; hasModel: boolean };
}

interface Until {
  readonly signal: AbortSignal;
  readonly mustPause: () => boolean;
}

export function openRefiner(options: RefinerOptions): Refiner {
  const { isBusy } = options;
  const { fingerprint, encoders } = options.under;
  if (encoders === undefined) return NO_REFINER;
  const state = { lookAtMs: 0, hasModel: true };
  const work: Work = { options, under: { fingerprint, encoders }, worker: nameWorker(), state };
  const closing = new AbortController();
  const timed: { timer?: NodeJS.Timeout; running?: Promise<void> | undefined } = {};
  const failures = openFailureBackOff(options);
  const mustPause = () => isBusy() || failures.isOn();
  const wake = () => {
    if (timed.timer === undefined || timed.running || closing.signal.aborted || mustPause()) return;
    const refined = refineAll(work, { signal: closing.signal, mustPause: isBusy });
    timed.running = failures.follow(refined, closing.signal).finally(() => {
      timed.running = undefined;
    });
  };
  return {
    start() {
      timed.timer ??= setInterval(wake, POLL_MS).unref();
      wake();
    },
    wake,
    async run(signal) {
      await timed.running;
      state.lookAtMs = 0;
      const both = AbortSignal.any([signal, closing.signal]);
      await refineAll(work, { signal: both, mustPause: () => false }).catch((error: unknown) => {
        if (!both.aborted) throw error;
      });
    },
    waiting: () => options.refinements.waiting(work.under),
    async close() {
      clearInterval(timed.timer);
      closing.abort("closing");
      await timed.running;
    },
  };
}

/**
 * A read-only folder usually stays read-only for a long time, so a failure is reported once and retried less and less
 * often.
 */
function openFailureBackOff({ log, now }: RefinerOptions) {
  const backOff = openBackOff(now);
  const state = { reported: "" };
  return {
    isOn: backOff.isOn,
    async follow(refining: Promise<void>, signal: AbortSignal) {
      try {
        await refining;
        backOff.end();
        state.reported = "";
      } catch (error) {
        if (signal.aborted) return;
        backOff.start();
        if (state.reported !== String(error)) log.warn("ingest.refine-failed", { error });
        state.reported = String(error);
      }
    },
  };
}

const NO_REFINER: Refiner = {
  start() {},
  wake() {},
  run: async () => {},
  waiting: async () => ({ documents: 0, chunks: 0 }),
  close: async () => {},
};

async function refineAll(work: Work, until: Until): Promise<void> {
  const { options, worker, state } = work;
  const { embed, refinements, perform, log } = options;
  if (!(await options.allowsChanges())) return;
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
async function recheckHolders({ options, state }: Work): Promise<void> {
  state.hasModel = true;
  for (const holder of await options.refinements.holders()) {
    if (isDead(holder)) await options.refinements.release(holder);
  }
}

async function claim({ options, under, worker, state }: Work) {
  const looksForOld = performance.now() >= state.lookAtMs;
  const what = state.hasModel ? "all" : "unchecked";
  const step = {
    ...under,
    worker,
    leaseMs: LEASE_MS,
    chunks: STEP_CHUNKS,
    what,
    looksForOld,
  } as const;
  const claimed = await options.refinements.claim(step);
  if (looksForOld && claimed.length === 0) state.lookAtMs = performance.now() + LOOK_EVERY_MS;
  return claimed;
}

async function refine(
  work: Work,
  {
    first,
    light,
    signal,
    mustPause,
  }: Until & { readonly first: readonly ClaimedDocument[]; readonly light: Light },
): Promise<void> {
  const { options, worker, state } = work;
  const { embed, refinements, log } = options;
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
