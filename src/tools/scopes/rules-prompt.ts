// A prompt that walks an agent through the three steps.
import type { Prompt } from "../family.ts";
import type { OpenScopes } from "./payload.ts";

export function rulesPrompt(open: OpenScopes): Prompt {
  return {
    name: "follow-project-rules",
    title: "Follow the project's rules",
    description: "Finds the rules that apply to a task before work on it begins.",
    arguments: [
      {
        name: "project_name",
        description: "Id of the project, or of any other scope",
        required: true,
        complete: async (typed) => (await open()).complete(typed),
      },
      { name: "task", description: "The task", required: true },
    ],
    async render({ project_name = "", task = "" }) {
      const resolved = await (await open()).get(project_name);
      const { id } = resolved.scope;
      const rows = resolved
        .categories()
        .map(({ name, tier, description }) => `- ${name} (${tier}): ${description}`);
      const text = [
        `I am about to work on "${id}": ${task}`,
        "",
        "Before you begin, find the rules that apply to it:",
        `1. get_categories("${id}") lists the categories. As of now they are:`,
        ...(rows.length === 0 ? ["   (none)"] : rows.map((row) => `   ${row}`)),
        `2. get_keywords("${id}", categories) for the categories that the task involves.`,
        `3. get_knowledge("${id}", keywords) for the keywords that matter; use category/keyword if one is in two categories.`,
        "",
        "Then do the task, follow these rules, name each rule you applied with its source_scope, and point out where the task and a rule conflict.",
      ].join("\n");
      return [{ role: "user", text }];
    },
  };
}
