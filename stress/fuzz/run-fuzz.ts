// Sends a stream of fuzz messages to a running server and checks that every request gets a response.
import { fuzzMessage } from "./messages.ts";
import type { Peer } from "./peers.ts";
import { openRandom } from "./random.ts";
import { type FuzzRun, residentMb } from "./run.ts";

export interface FuzzOptions extends FuzzRun {
  readonly peer: Peer;
  /** The server's process, for its memory. */
  readonly pid: number;
}

export interface FuzzReport {
  readonly sent: number;
  readonly expected: number;
  readonly answered: number;
  /** Ids of requests that got no response. */
  readonly unanswered: readonly (string | number)[];
  /** The server's resident memory after each tenth of the run. */
  readonly rssMb: readonly number[];
}

const AT_ONCE = 100;
const ANSWER_WITHIN_MS = 200_000;

export async function runFuzz({
  peer,
  pid,
  count,
  seconds,
  seed,
}: FuzzOptions): Promise<FuzzReport> {
  const random = openRandom(seed);
  const until = Date.now() + seconds * 1_000;
  const unanswered: (string | number)[] = [];
  let sent = 0;
  let expected = 0;
  let answered = 0;
  const rss: number[] = [];
  while (sent < count && Date.now() < until) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - sent) }, (_, index) =>
      fuzzMessage(random, sent + index),
    );
    const cancelled = new Set<string | number>(batch.flatMap(({ text }) => cancelledId(text)));
    const waiting = batch.flatMap(({ expects }) =>
      expects === undefined || cancelled.has(expects) ? [] : [expects],
    );
    const got = await peer.exchange(
      batch.map(({ text }) => text),
      waiting,
      ANSWER_WITHIN_MS,
    );
    unanswered.push(...waiting.filter((id) => !got.has(id)));
    sent += batch.length;
    expected += waiting.length;
    answered += waiting.filter((id) => got.has(id)).length;
    while (rss.length < Math.floor((sent * 10) / count)) rss.push(residentMb(pid));
  }
  return { sent, expected, answered, unanswered, rssMb: rss };
}

/** A cancelled request gets no response. */
function cancelledId(text: string): readonly number[] {
  const id =
    /^\{"jsonrpc":"2.0","method":"notifications\/cancelled","params":\{"requestId":(\d+)\}\}$/.exec(
      text,
    )?.[1];
  return id === undefined ? [] : [Number(id)];
}
