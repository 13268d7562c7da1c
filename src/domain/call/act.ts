// A change to the knowledge base, as access control sees it.
import { type Principal, SERVER } from "./principal.ts";

/** `destroy` may remove data permanently; `export` changes nothing but copies everything at once. */
export type ActEffect = "write" | "destroy" | "export";

/** Ids and names; never contents, never whole paths. */
export type Target = Readonly<Record<string, string>>;

export interface Act {
  readonly who: Principal;
  readonly did: string;
  readonly effect: ActEffect;
  readonly to: Target;
  /** The id of the trace that the call belongs to. */
  readonly trace?: string;
}

/** The server's background work, and the effect of each kind. */
export const BACKGROUND = {
  "document-store": "write",
  "folder-add": "write",
  "folder-move": "write",
  "folder-remove": "destroy",
  refine: "write",
  reindex: "write",
  tidy: "destroy",
} as const satisfies Readonly<Record<string, ActEffect>>;

export type BackgroundAct = keyof typeof BACKGROUND;

export function backgroundAct(did: BackgroundAct, to: Target): Act {
  return { who: SERVER, did, effect: BACKGROUND[did], to };
}

/** What the result adds to the last audit line. */
export interface ActEnd {
  readonly to?: Target;
  /** The code of a failure that was returned instead of thrown. */
  readonly error?: string;
}

/** Checks the right, records the intent, does the work, records the outcome. Rejects before `work` if not allowed. */
export type Perform = <Result>(
  act: Act,
  work: () => Promise<Result>,
  endOf?: (result: Result) => ActEnd,
) => Promise<Result>;
