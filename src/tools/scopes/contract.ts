// The contract of the scopes family: each tool's name and shapes, and the types that others infer from them.
import type * as z from "zod";
import type { Given } from "../contract.ts";
import type { dropReport, RULE_DROP } from "./shapes/rule-drop.ts";
import type { entry, failure } from "./shapes/scope.ts";
import type { explainedView, scopesView } from "./shapes/view.ts";

export {
  KNOWLEDGE_ENTRY_PUT,
  KNOWLEDGE_ENTRY_REMOVE,
  KNOWLEDGE_SCOPE_PUT,
  KNOWLEDGE_SCOPE_REMOVE,
} from "./shapes/authoring.ts";
export { GET_CATEGORIES, GET_KEYWORDS, GET_KNOWLEDGE } from "./shapes/reading.ts";
export { RULE_DROP } from "./shapes/rule-drop.ts";
export { SCHEMA_VERSION } from "./shapes/scope.ts";

export type RuleDrop = Given<z.output<typeof RULE_DROP>>;
export type DropReport = Given<z.output<typeof dropReport>>;
export type ScopesView = Given<z.output<typeof scopesView>>;
export type ScopeRow = ScopesView["scopes"][number];
export type ExplainedView = Given<z.output<typeof explainedView>>;
export type Entry = Given<z.output<typeof entry>>;
export type Refused = Given<z.output<typeof failure>>;
