// The servers of a history, each a process of the program that ships: started, called, killed, paused and replaced.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHttp } from "../../test/support/spawned.ts";
import {
  type Answer,
  perform,
  prepareRules,
  Refused,
  type Request,
  type Settled,
  settle,
} from "./calls.ts";

export interface Place {
  readonly kind: "sqlite" | "postgres";
  /** A data folder, or a database's URL. */
  readonly at: string;
  readonly files: string;
}

export type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "dead" };

export interface Member {
  readonly name: string;
  readonly busy: number;
  readonly isPaused: boolean;
  ask(request: Request, onQueued?: (task: string) => void): Promise<Reply>;
  settle(known: Parameters<typeof settle>[1]): Promise<Settled>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** Resolves when it accepts calls. */
export async function startMember(name: string, place: Place): Promise<Member> {
  const { url, child, kill } = await startHttp(toServer(place));
  await prepareRules(url);
  const state = { busy: 0, isKilled: false, isPaused: false };
  const ask = async (request: Request, onQueued: (task: string) => void): Promise<Reply> => {
    try {
      return { kind: "answer", answer: await perform(url, request, onQueued) };
    } catch (thrown) {
      if (thrown instanceof Refused) return { kind: "failed", code: thrown.code };
      if (state.isKilled) return { kind: "dead" };
      throw thrown;
    }
  };
  return {
    name,
    get busy() {
      return state.busy;
    },
    get isPaused() {
      return state.isPaused;
    },
    ask(request, onQueued = () => {}) {
      state.busy += 1;
      return ask(request, onQueued).finally(() => {
        state.busy -= 1;
      });
    },
    settle: (known) => settle(url, known),
    async kill() {
      state.isKilled = true;
      await kill();
    },
    pause() {
      state.isPaused = child.kill("SIGSTOP");
    },
    resume() {
      child.kill("SIGCONT");
      state.isPaused = false;
    },
  };
}

function toServer({ kind, at, files }: Place) {
  if (kind === "sqlite") return { dataDir: at, root: files };
  const dataDir = join(files, "..", "incoming");
  const config = join(dataDir, "config.json");
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(config, JSON.stringify({ databaseUrl: at }));
  return { dataDir, root: files, config };
}
