// Assigns texts to threads, starts another thread if it is worth it, and recovers the texts of a lost one.
import { fail, type PoolCore, stopWhenIdle, unavailable } from "./pool-state.ts";
import { type Job, type Seat, startSeat } from "./seat.ts";

// One runs and one waits in the worker, so that a busy main thread does not leave the model without work.
const PASSAGES_AHEAD = 2;
// Loading the model again takes as long as this many passages, so a short note does not start a thread.
const WORTH_A_SEAT = 16;
// A passage takes a second on a slow machine, and a machine may be busy with other things for a minute.
const SILENT_MS = 120_000;
// A text that kills its worker is retried once.
const MAX_ATTEMPTS = 2;

export function dispatch(pool: PoolCore): void {
  const { waiting, seats } = pool.state;
  for (const job of waiting.query) send(pool, job, leastBusy(seats) ?? addSeat(pool));
  for (const job of waiting.passage) {
    const seat = seatForPassage(pool);
    if (seat === undefined) break;
    send(pool, job, seat);
  }
  for (const { worker, running } of seats) running.size > 0 ? worker.ref() : worker.unref();
  stopWhenIdle(pool);
}

function send({ state }: PoolCore, job: Job, seat: Seat): void {
  state.waiting[job.kind].delete(job);
  seat.give(job);
}

/** Undefined if the passage has to wait. */
function seatForPassage(pool: PoolCore): Seat | undefined {
  const { waiting, seats } = pool.state;
  const seat = leastBusy(seats);
  if (seat && seat.running.size < PASSAGES_AHEAD) return seat;
  const isWorthMore = seats.size < pool.workers && waiting.passage.size >= WORTH_A_SEAT;
  return seats.size === 0 || isWorthMore ? addSeat(pool) : undefined;
}

function leastBusy(seats: ReadonlySet<Seat>): Seat | undefined {
  let best: Seat | undefined;
  for (const seat of seats) if (!best || loadOf(seat) < loadOf(best)) best = seat;
  return best;
}

/** Waiting behind other texts is faster for a query than waiting for a thread that still loads the model. */
function loadOf({ running, phase }: Seat): number {
  return phase === "ready" ? running.size : running.size + WORTH_A_SEAT;
}

function addSeat(pool: PoolCore): Seat {
  const { state, modelDir, profile, workerUrl, log, silentMs = SILENT_MS } = pool;
  const setup = { modelDir, profile, check: state.isChecked ? {} : profile.files };
  state.isChecked = true;
  const seat = startSeat(
    setup,
    { workerUrl, silentMs, log },
    {
      onReady() {
        state.model = { kind: "ready" };
      },
      onFailed: (reason) => fail(pool, reason),
      onDone(job, outcome) {
        if (outcome.kind === "vector") job?.resolve(outcome.vector);
        else job?.reject(unavailable(outcome.reason));
        dispatch(pool);
      },
      onLost: (lost) => lose(pool, lost),
    },
  );
  state.seats.add(seat);
  if (state.model.kind !== "ready") state.model = { kind: "loading" };
  return seat;
}

function lose(pool: PoolCore, seat: Seat): void {
  const { waiting, seats, model } = pool.state;
  seats.delete(seat);
  if (seats.size === 0 && model.kind !== "failed") pool.state.model = { kind: "cold" };
  const suspect = firstOf(seat);
  for (const job of seat.running.values()) {
    // The others were only waiting.
    if (job === suspect) job.attempts++;
    if (job.attempts < MAX_ATTEMPTS) waiting[job.kind].add(job);
    else job.reject(unavailable("the model's thread ended"));
  }
  seat.running.clear();
  if (waiting.query.size + waiting.passage.size > 0) dispatch(pool);
}

/** The job that most likely killed the thread: queries run first, then passages in order. */
function firstOf({ running }: Seat): Job | undefined {
  const jobs = [...running.values()];
  return jobs.find(({ kind }) => kind === "query") ?? jobs[0];
}
