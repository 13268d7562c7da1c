// Several processes on one knowledge base are asked for random things at once while some are killed or paused; then
// all work is allowed to finish. Each period between two such pauses is a separate history.
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.ts";
import type { Answer } from "./member.ts";
import { type Member, type Place, startMember } from "./members.ts";
import type { Asked } from "./record.ts";
import { chooseRequest, textOf } from "./requests.ts";

const MEMBERS = 3;
const AT_ONCE = 6;

export interface SessionOptions {
  readonly place: Place;
  readonly random: Random;
  readonly operations: number;
  /** How long a pause may be, in milliseconds. */
  readonly pauseMs: number;
}

export interface Stretch {
  readonly asked: readonly Asked[];
  readonly settledAt: number;
  readonly settled: Answer;
  readonly kills: number;
  readonly pauses: number;
}

export interface Session {
  /** The version of a content, by its hash; empty for none. */
  valueOf(hash: unknown): string;
  stretch(): Promise<Stretch>;
  close(): Promise<void>;
}

export async function openSession({
  place,
  random,
  operations,
  pauseMs,
}: SessionOptions): Promise<Session> {
  mkdirSync(place.files, { recursive: true });
  const versions = new Map<string, string>();
  const recent = new Map<string, readonly number[]>();
  const state = { started: 0, version: 0, paused: [] as Promise<void>[] };
  const start = () => startMember(`m${++state.started}`, place);
  const members = await Promise.all(Array.from({ length: MEMBERS }, start));
  // A key's file is written and taken in by one process at a time, so that its content is known.
  const taken = new Set<string>();

  const writeFile = (key: string): string => {
    // Now and then a content that the document had a moment ago.
    const [last] = recent.get(key) ?? [];
    const number = last !== undefined && random.chance(0.3) ? last : ++state.version;
    recent.set(key, [number, ...(recent.get(key) ?? [])].slice(0, 3).reverse());
    const text = textOf(key, number);
    versions.set(createHash("sha256").update(text).digest("hex"), `v${number}`);
    const path = join(place.files, key);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
    return `v${number}`;
  };

  const askOne = async (member: Member, log: Asked[]): Promise<void> => {
    const { request, key } = chooseRequest(random, place.files, taken);
    const isPut = request.kind === "put";
    if (isPut) taken.add(key);
    const rule = request.kind === "put-rule" ? request.content : "";
    const value = isPut ? writeFile(key) : rule;
    const from = performance.now();
    let task: string | undefined;
    const reply = await member.ask(request, (id) => {
      task = id;
      taken.delete(key);
    });
    if (isPut && task === undefined) taken.delete(key);
    log.push({
      member: member.name,
      request,
      key,
      value,
      from,
      to: performance.now(),
      reply,
      task,
    });
  };

  const disturb = async (counts: { kills: number; pauses: number }): Promise<void> => {
    const at = random.below(members.length);
    const member = members[at] as Member;
    if (member.isPaused) return;
    if (random.chance(0.6)) {
      counts.pauses += 1;
      member.pause();
      state.paused.push(sleep(random.below(pauseMs)).then(() => member.resume()));
      return;
    }
    counts.kills += 1;
    await member.kill();
    members[at] = await start();
  };

  const stretch = async (): Promise<Stretch> => {
    const log: Asked[] = [];
    const open = new Set<Promise<void>>();
    const counts = { kills: 0, pauses: 0 };
    for (let turn = 0; turn < operations; turn++) {
      while (open.size >= AT_ONCE) await Promise.race(open);
      const free = members.filter(({ isPaused, busy }) => !isPaused && busy < 3);
      const one = askOne(free[random.below(free.length)] ?? (members[0] as Member), log);
      const ended = one.finally(() => open.delete(ended));
      open.add(ended);
      if (random.chance(0.06)) {
        await sleep(random.below(20));
        await disturb(counts);
      }
    }
    await Promise.all(state.paused.splice(0));
    await Promise.all(open);
    const reply = await (members[0] as Member).ask({ kind: "settle" });
    if (reply.kind !== "answer") throw new Error(`It did not settle: ${JSON.stringify(reply)}`);
    return { asked: log, settledAt: performance.now(), settled: reply.answer, ...counts };
  };

  return {
    stretch,
    valueOf: (hash) => (hash === undefined ? "" : (versions.get(String(hash)) ?? "unknown")),
    close: async () => void (await Promise.all(members.map((member) => member.kill()))),
  };
}
