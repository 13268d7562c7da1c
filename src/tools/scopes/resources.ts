// Rules as resources (Markdown for agents, JSON for people's views of the hierarchy), and the prompt that walks an agent
// through the three steps.
import { toPage } from "../../domain/call/cursor.ts";
import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Scopes } from "../../scopes/scopes.ts";
import {
  type Complete,
  JSON_TYPE,
  MARKDOWN,
  type Prompt,
  type Resource,
  type ResourceTemplate,
} from "../family.ts";
import type { ExplainedView, ScopesView } from "./contract.ts";
import type { OpenScopes } from "./tool.ts";

const PER_PAGE = 100;

export function scopeUri(id: string): string {
  return `knowledge://scopes/${encodeURIComponent(id)}`;
}

const completeId =
  (open: OpenScopes): Complete =>
  async (typed, context) =>
    (await open(context)).complete(typed);

/** `onRead` learns which scopes clients hold, so that only their changes are sent. */
export function scopeTemplate(
  open: OpenScopes,
  onRead: (id: string, text: string) => void,
): ResourceTemplate {
  return {
    uriTemplate: "knowledge://scopes/{id}",
    name: "scope",
    title: "Rules of a scope",
    description:
      "The rules that apply to a project, group or product, with inheritance resolved, as Markdown. Write a slash in an id as %2F.",
    mimeType: MARKDOWN,
    async list(cursor, context) {
      const { page, next } = toPage(await (await open(context)).list(), cursor, PER_PAGE);
      const resources = page.map(({ id, tier, description }) => ({
        uri: scopeUri(id),
        name: id,
        title: `Rules of ${id} (${tier})`,
        ...defined({ description }),
        mimeType: MARKDOWN,
      }));
      return { resources, ...defined({ next }) };
    },
    async read({ id = "" }, context) {
      const scopes = await open(context);
      const text = await scopes.page(id);
      onRead((await scopes.get(id)).scope.id, text);
      return text;
    },
    complete: { id: completeId(open) },
  };
}

/** One category of them, for a client that wants to attach no more than it needs. */
export function categoryTemplate(open: OpenScopes): ResourceTemplate {
  return {
    uriTemplate: "knowledge://scopes/{id}/{category}",
    name: "scope-category",
    title: "Rules of a category",
    description: "The rules of one category of a scope, with inheritance resolved, as Markdown.",
    mimeType: MARKDOWN,
    async read({ id = "", category = "" }, context) {
      const scopes = await open(context);
      const { notFound } = (await scopes.get(id)).keywords([category]);
      if (notFound.length === 0) return scopes.page(id, category);
      throw new KnowledgeError("RESOURCE_NOT_FOUND", "The scope has no such category.");
    },
    complete: {
      id: completeId(open),
      category: async (typed, context, { id }) => {
        if (id === undefined) return [];
        const names = (await (await open(context)).get(id)).categories().map(({ name }) => name);
        return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
      },
    },
  };
}

export function explainedTemplate(open: OpenScopes): ResourceTemplate {
  return {
    uriTemplate: "knowledge://explained-scopes/{id}",
    name: "scope-explained",
    title: "Rules of a scope, explained",
    description:
      "The rules of a scope, each with the scope it comes from and those it overrides, as JSON.",
    mimeType: JSON_TYPE,
    read: async ({ id = "" }, context) => JSON.stringify(await explain(await open(context), id)),
    complete: { id: completeId(open) },
  };
}

async function explain(scopes: Scopes, id: string): Promise<ExplainedView> {
  const { scope, chain, categories, entries } = await scopes.explain(id);
  const rows = entries.map(({ category, keyword, winner, overridden }) => ({
    category,
    keyword,
    content: winner.content,
    source_scope: winner.scope,
    source_tier: winner.tier,
    overridden,
  }));
  return { scope, chain, categories, entries: rows };
}

export function scopesResource(open: OpenScopes): Resource {
  return {
    uri: "knowledge://scopes",
    name: "scopes",
    title: "Scopes",
    description: "Every scope with its tier, parent and number of rules, as JSON.",
    mimeType: JSON_TYPE,
    async read(context) {
      const scopes = await (await open(context)).list();
      const rows = scopes.map(({ id, tier, parent = null, description, ...counts }) => ({
        id,
        tier,
        parent,
        ...defined({ description }),
        category_count: counts.categoryCount,
        entry_count: counts.entryCount,
      }));
      return JSON.stringify({ scopes: rows } satisfies ScopesView);
    },
  };
}

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
        complete: completeId(open),
      },
      { name: "task", description: "The task", required: true },
    ],
    async render({ project_name = "", task = "" }, context) {
      const resolved = await (await open(context)).get(project_name);
      const { id } = resolved.scope;
      const rows = resolved
        .categories()
        .map(({ name, tier, description }) => `   - ${name} (${tier}): ${description}`);
      const text = [
        `I am about to work on "${id}": ${task}`,
        "",
        "Before you begin, find the rules that apply to it:",
        `1. get_categories("${id}") lists the categories. As of now they are:`,
        ...(rows.length === 0 ? ["   (none)"] : rows),
        `2. get_keywords("${id}", categories) for the categories that the task involves.`,
        `3. get_knowledge("${id}", keywords) for the keywords that matter; use category/keyword if one is in two categories.`,
        "",
        "Then do the task, follow these rules, name each rule you applied with its source_scope, and point out where the task and a rule conflict.",
      ].join("\n");
      return [{ role: "user", text }];
    },
  };
}
