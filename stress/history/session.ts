// Several servers on one knowledge base get random requests at once while some are killed or paused; then
// all work is allowed to finish. Each period between two such pauses is a separate history.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.ts";
import type { Settled } from "./calls.ts";
import { type Member, type Place, startMember } from "./members.ts";
import type { Asked } from "./record.ts";
import { chooseRequest, RULES, textOf } from "./requests.ts";

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
  readonly settled: Settled;
  readonly kills: number;
  readonly pauses: number;
}

export interface Session {
  stretch(): Promise<Stretch>;
  close(): Promise<void>;
}

interface Counts {
  kills: number;
  pauses: number;
}

export async function openSession({
  place,
  random,
  operations,
  pauseMs,
}: SessionOptions): Promise<Session> {
  mkdirSync(place.files, { recursive: true });
  const recent = new Map<string, readonly number[]>();
  const state = { started: 0, version: 0, paused: [] as Promise<void>[] };
  const start = () => startMember(`m${++state.started}`, place);
  const members = await Promise.all(Array.from({ length: MEMBERS }, start));
  // Each file is written and added by one server at a time, so that its content is known.
  const taken = new Set<string>();

  const writeFile = (key: string): string => {
    // Sometimes the content that the document had a moment ago.
    const [last] = recent.get(key) ?? [];
    const number = last !== undefined && random.chance(0.3) ? last : ++state.version;
    recent.set(key, [number, ...(recent.get(key) ?? [])].slice(0, 3).reverse());
    const path = join(place.files, key);
    writeFileSync(`${path}.new`, textOf(key, number));
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

  const disturb = async (counts: Counts, how: "kill" | "pause"): Promise<void> => {
    const at = random.below(members.length);
    const member = members[at] as Member;
    if (member.isPaused && how === "pause") return;
    if (how === "pause") {
      counts.pauses += 1;
      member.pause();
      state.paused.push(sleep(random.below(pauseMs)).then(() => member.resume()));
      return;
    }
    counts.kills += 1;
    await member.kill();
    members[at] = await start();
  };

  /** At random, but at least one of each: a pause after a third of the operations, a kill after two. */
  const disturbanceAt = (turn: number) => {
    if (turn === Math.floor(operations / 3)) return "pause";
    if (turn === Math.floor((operations * 2) / 3)) return "kill";
    if (!random.chance(0.04)) return undefined;
    return random.chance(0.6) ? "pause" : "kill";
  };

  const stretch = async (): Promise<Stretch> => {
    const log: Asked[] = [];
    const open = new Set<Promise<void>>();
    const counts: Counts = { kills: 0, pauses: 0 };
    for (let turn = 0; turn < operations; turn++) {
      while (open.size >= AT_ONCE) await Promise.race(open);
      const free = members.filter(({ isPaused, busy }) => !isPaused && busy < 3);
      const one = askOne(free[random.below(free.length)] ?? (members[0] as Member), log);
      const ended = one.finally(() => open.delete(ended));
      open.add(ended);
      const how = disturbanceAt(turn);
      if (how === undefined) continue;
      await sleep(random.below(20));
      await disturb(counts, how);
    }
    await Promise.all(state.paused.splice(0));
    await Promise.all(open);
    const tasks = log.flatMap(({ task }) => task ?? []);
    const settled = await (members[0] as Member).settle({ tasks, keywords: RULES });
    return { asked: log, settledAt: performance.now(), settled, ...counts };
  };

  return {
    stretch,
    close: async () => void (await Promise.all(members.map((member) => member.kill()))),
  };
}
