// What the command line does with rules beyond the tools.
import type { Operations } from "../operations.ts";
import type { OpenScopes } from "./payload.ts";

type Verbs = Pick<Operations, "rules" | "previewRules" | "importRules">;

export function ruleOperations(scopes: OpenScopes): Verbs {
  const importWith =
    (dryRun: boolean): Operations["importRules"] =>
    async (paths, options) =>
      (await scopes()).import(paths, { ...options, dryRun });
  return { rules: scopes, previewRules: importWith(true), importRules: importWith(false) };
}
