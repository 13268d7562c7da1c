// What the command line and the console do with rules beyond the tools.
import type { Operations } from "../operations.ts";
import type { OpenScopes } from "./tool.ts";

type Verbs = Pick<
  Operations,
  "rules" | "previewRules" | "importRules" | "previewDrop" | "importDrop"
>;

export function ruleOperations(scopes: OpenScopes): Verbs {
  const importWith =
    (dryRun: boolean): Operations["importRules"] =>
    async (paths, options) =>
      (await scopes()).import(paths, { ...options, dryRun });
  const dropWith =
    (dryRun: boolean): Operations["importDrop"] =>
    async ({ files, scope, tier, parent, guides, replace }) =>
      (await scopes()).importFiles(files, {
        ...(scope === undefined ? {} : { scope }),
        ...(tier === undefined ? {} : { tier }),
        ...(parent === undefined ? {} : { parent }),
        guides: guides === true,
        replace: replace === true,
        dryRun,
      });
  return {
    rules: scopes,
    previewRules: importWith(true),
    importRules: importWith(false),
    previewDrop: dropWith(true),
    importDrop: dropWith(false),
  };
}
