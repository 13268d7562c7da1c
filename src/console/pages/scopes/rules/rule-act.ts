import type { ExplainedView } from "../../../../tools/scopes/contract.ts";

export type ShownRule = ExplainedView["entries"][number];

/** An inherited rule is either overridden in this scope or changed in the scope that owns it. */
export interface RuleAct {
  readonly kind: "edit" | "override" | "edit-there" | "remove";
  readonly entry: ShownRule;
}
