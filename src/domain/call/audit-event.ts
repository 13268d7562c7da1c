// A change to the knowledge base, as access control sees it.
import { type Principal, type Right, SERVER } from "./principal.ts";

/**
 * `destroy` may remove data permanently; `export` changes nothing but copies everything at once; `govern` changes who
 * may do what.
 */
export type ChangeEffect = "write" | "destroy" | "export" | "govern";

/** Ids and names; never contents, never whole paths. */
export type Target = Readonly<Record<string, string>>;

export interface AuditEvent {
  readonly actor: Principal;
  readonly action: string;
  readonly effect: ChangeEffect;
  readonly target: Target;
  /** A right that it needs besides that of its effect. */
  readonly needs?: Right | undefined;
  /** The right must hold in every scope, because it concerns them all. */
  readonly isWide?: boolean;
  /** False if the server does not offer it to its callers, whatever their rights (`--tools`). */
  readonly isOffered?: boolean;
  /** The id of the trace that the call belongs to. */
  readonly trace?: string;
}

/** The server's background work, and the effect of each kind. */
export const BACKGROUND = {
  "document-store": "write",
  "source-add": "write",
  "source-sync": "write",
  "source-move": "write",
  "source-remove": "destroy",
  refine: "write",
  reindex: "write",
  tidy: "destroy",
} as const satisfies Readonly<Record<string, ChangeEffect>>;

export type BackgroundAction = keyof typeof BACKGROUND;

export function backgroundEvent(action: BackgroundAction, target: Target): AuditEvent {
  return { actor: SERVER, action, effect: BACKGROUND[action], target };
}

/** What the result adds to the last audit line. */
export interface AuditOutcome {
  readonly target?: Target;
  /** The code of a failure that was returned instead of thrown. */
  readonly error?: string;
}

/** Checks the right, records the intent, does the work, records the outcome. Rejects before `work` if not allowed. */
export type Perform = <Result>(
  event: AuditEvent,
  work: () => Promise<Result>,
  endOf?: (result: Result) => AuditOutcome,
) => Promise<Result>;
