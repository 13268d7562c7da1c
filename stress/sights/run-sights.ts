// The differential proof: whatever a caller asks of a knowledge base that it shares with others returns what it would
// return on one that holds only what this caller may see.
import type { Principal } from "../../src/domain/call/principal.ts";
import { sightOf } from "../../src/domain/call/sight.ts";
import type { Store } from "../../src/store/store.ts";
import type { TempStore } from "../../test/support/temp-store.ts";
import { openRandom, type Random } from "../fuzz/random.ts";
import { type Base, copySeen, openBase } from "./base.ts";
import { type Call, randomRead, randomWrite } from "./calls.ts";
import { fillWorld, randomCaller, type World } from "./world.ts";

export interface SightsOptions {
  /** A new, empty store. */
  readonly open: () => Promise<TempStore>;
  readonly seed: number;
  readonly calls: number;
  /** Changes what callers get of the shared store, to plant a hole. */
  readonly plant?: (store: Store) => Store;
}

export interface SightsReport {
  readonly calls: number;
  readonly callers: number;
  readonly differences: readonly string[];
}

const END_OF_TIME = "9999";
const READS_BEFORE = 40;
const WRITES = 4;
const READS_AFTER = 8;
const CALLERS_PER_WORLD = 6;

export async function runSights(options: SightsOptions): Promise<SightsReport> {
  const random = openRandom(options.seed);
  const differences: string[] = [];
  const counts = { calls: 0, callers: 0 };
  while (counts.calls < options.calls && differences.length === 0) {
    const isPassedOn = random.chance(0.5);
    const shared = await openBase(await options.open(), { plant: options.plant, isPassedOn });
    try {
      const world = await fillWorld(shared, random);
      for (let at = 0; at < CALLERS_PER_WORLD && counts.calls < options.calls; at++) {
        const who = randomCaller(random, world);
        differences.push(
          ...(await compareFor(shared, who, { options, random, world, counts, isPassedOn })),
        );
        counts.callers++;
      }
    } finally {
      await shared.close();
    }
  }
  return { ...counts, differences };
}

interface Comparing {
  readonly options: SightsOptions;
  readonly random: Random;
  readonly world: World;
  readonly counts: { calls: number };
  readonly isPassedOn: boolean;
}

async function compareFor(shared: Base, who: Principal, comparing: Comparing) {
  const { options, random, world, counts, isPassedOn } = comparing;
  const own = await openBase(await options.open(), { isPassedOn });
  // Ended tasks are not copied.
  await shared.store.tasks.prune(END_OF_TIME);
  const found: string[] = [];
  try {
    const parents = (await shared.store.scopes.list()).map(
      ({ id, parent }) => [id, parent] as const,
    );
    await copySeen(shared, own, sightOf(who, "read", { parents: new Map(parents) }));
    const [here, there] = [openNames(), openNames()];
    const read = new Set<string>();
    const compare = async (call: Call) => {
      counts.calls++;
      const one = here(await run(call, { base: shared, who, read }));
      const other = there(await run(call, { base: own, who, read }));
      // After the first one, the bases may differ.
      if (one !== other && found.length === 0) found.push(describe(call, who, [one, other]));
    };
    for (let at = 0; at < READS_BEFORE; at++) await compare(randomRead(random, world));
    for (let at = 0; at < WRITES && readsWhereItWrites(who); at++) {
      await compare(randomWrite(random, world));
      for (let after = 0; after < READS_AFTER; after++) await compare(randomRead(random, world));
    }
  } finally {
    await own.close();
  }
  return found;
}

interface Calling {
  readonly base: Base;
  readonly who: Principal;
  /** The addresses of resources that this caller has read: it is notified of no others. */
  readonly read: Set<string>;
}

/** With what the caller is notified of meanwhile. */
async function run(call: Call, { base, who, read }: Calling) {
  const heard: unknown[] = [];
  if (call.name.startsWith("knowledge://")) read.add(call.name);
  const stop = base.toolbox.onChange(who, ({ scopes: _, ...change }) => {
    if (change.kind !== "resource" || read.has(change.uri)) heard.push(change);
  });
  try {
    const result = await call.run(base, who);
    await base.notified();
    return { result, heard: heard.map((each) => JSON.stringify(each)).sort() };
  } finally {
    stop();
  }
}

/** A change where the caller sees nothing cannot be made on a base without it. */
function readsWhereItWrites({ grants = [] }: Principal): boolean {
  return grants.every(({ right, scope, isDeep }) =>
    grants.some(
      (each) =>
        each.right === "read" &&
        each.scope === scope &&
        (each.isDeep || !isDeep || right === "read"),
    ),
  );
}

function describe({ name }: Call, { grants }: Principal, [one, other]: readonly [string, string]) {
  const at = [...one].findIndex((letter, place) => letter !== other[place]);
  const part = (text: string) => text.slice(Math.max(0, at - 200), at + 300);
  return `${name}\n  for ${JSON.stringify(grants)}\n  shared: ${part(one)}\n  alone:  ${part(other)}`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Times, and the estimates, which depend on how much the server has to do; also inside a text. */
const MEASURED = /(\w+(?:_seconds|_ms)\\*":)[\d.]+/g;
const PLACES = new Set(["storage_path", "vector_db_path"]);

/** New ids are random: each is replaced by the order in which it was first seen. */
function openNames() {
  const known = new Map<string, string>();
  const nameOf = (id: string) => {
    known.set(id, known.get(id) ?? `<${known.size}>`);
    return known.get(id) as string;
  };
  const plain = (key: string, value: unknown) => (PLACES.has(key) ? 0 : value);
  return (result: unknown) => {
    const payload = JSON.stringify(result, plain) ?? "nothing";
    return payload.replace(TIME, "<time>").replace(MEASURED, "$1 0").replace(UUID, nameOf);
  };
}
