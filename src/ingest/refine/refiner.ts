// Refines vectors in the background, in small steps that are stored one by one.
//
//   resting ──a timer, or something was stored──▶ refining ──nothing left, or an add came──▶ resting
//                                                    └─ closing: its claims are released

import { searchText } from "../../chunk/chunk.ts";
import { backgroundEvent } from "../../domain/call/audit-event.ts";
import type {
  ClaimedDocument,
  NewDocument,
  RefinedDocument,
  RefinementStore,
} from "../../store/store.ts";
import { unlessUnavailable } from "../add/indexer.ts";
import type { IngestOptions } from "../ingest.ts";
import { openBackOff } from "../queue/back-off.ts";
import { openRounds } from "../queue/background.ts";
import { isDead, nameWorker } from "../queue/worker-name.ts";

interface RefinerOptions
  extends Pick<IngestOptions, "embed" | "allowsChanges" | "perform" | "log"> {
  readonly refinements: RefinementStore;
  /** Which documents to refine. */
  readonly under: Pick<NewDocument, "fingerprint">;
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
// How often to look for documents left by dead processes, and whether the model is available again.
const LOOK_EVERY_MS = 60_000;

interface Work extends RefinerOptions {
  readonly worker: string;
  readonly state: { lookAtMs: number; hasModel: boolean };
}

interface Until {
  readonly signal: AbortSignal;
  readonly mustPause: () => boolean;
}

export function openRefiner(options: RefinerOptions) {
  const { isBusy, refinements, under, log, now } = options;
  const work = { ...options, worker: nameWorker(), state: { lookAtMs: 0, hasModel: true } };
  const backOff = openBackOff(now);
  const failure = { reported: "" };
  const round = (signal: AbortSignal) => {
    if (isBusy() || backOff.isOn()) return undefined;
    return refineAll(work, { signal, mustPause: isBusy }).then(() => {
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
      await refineAll(work, until).catch(ignoreIfAborted(both));
    },
    waiting: () => refinements.waiting(under.fingerprint),
  };
}

async function refineAll(work: Work, until: Until): Promise<void> {
  const { worker, state, refinements, perform } = work;
  if (!(await work.allowsChanges())) return;
  if (performance.now() >= state.lookAtMs) await lookAgain(work);
  const first = await claim(work);
  if (first.length === 0) return;
  try {
    // Writes one audit line per run, because the documents' content does not change.
    const event = backgroundEvent("refine", { documents: String(first.length) });
    await perform(event, () => refine(work, { first, ...until }));
  } finally {
    await refinements.release(worker);
  }
}

/** Repeated at intervals, because the model may be available again and dead processes leave claims behind. */
async function lookAgain({ refinements, state }: Work): Promise<void> {
  for (const holder of await refinements.holders()) {
    if (isDead(holder)) await refinements.release(holder);
  }
  state.hasModel = true;
  state.lookAtMs = performance.now() + LOOK_EVERY_MS;
}

async function claim({ refinements, under, worker, state }: Work) {
  if (!state.hasModel) return [];
  return refinements.claim({ ...under, leaseMs: LEASE_MS, chunks: STEP_CHUNKS, worker });
}

interface Refining extends Until {
  readonly first: readonly ClaimedDocument[];
}

async function refine(work: Work, { first, signal, mustPause }: Refining): Promise<void> {
  const { worker, state, refinements, log } = work;
  for (let claimed = first; claimed.length > 0; claimed = await claim(work)) {
    const refined = await refineStep(work, claimed, signal).catch(ignoreIfAborted(signal));
    state.hasModel = refined !== "without-model";
    if (refined === undefined || refined === "without-model") return;
    const chunks = await refinements.storeVectors(worker, refined);
    log.debug("ingest.refined", { chunks });
    if (signal.aborted || mustPause()) return;
  }
}

/** An interrupted step is not a failure: nothing of it was stored, and its chunks are claimed again. */
function ignoreIfAborted(signal: AbortSignal) {
  return (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };
}

async function refineStep(
  { embed, log }: Pick<Work, "embed" | "log">,
  claimed: readonly ClaimedDocument[],
  signal: AbortSignal,
): Promise<readonly RefinedDocument[] | "without-model"> {
  const texts = claimed.flatMap((document) =>
    document.chunks.map((chunk) => searchText(chunk, document)),
  );
  const vectors = await unlessUnavailable(embed.passages(texts, { signal }), log);
  if (!vectors) return "without-model";
  const left = vectors.values();
  return claimed.map(({ id, chunks }) => ({
    id,
    chunks: chunks.map(({ key }) => ({ key, vector: left.next().value as Float32Array })),
  }));
}
