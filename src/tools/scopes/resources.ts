// A scope's resolved rules as a resource: one Markdown page.
import { toOffset } from "../../domain/call/cursor.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { ScopeSummary } from "../../store/store.ts";
import {
  type Complete,
  JSON_TYPE,
  type ListedResource,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  toJsonText,
} from "../family.ts";
import type { ExplainedView, ScopeRow, ScopesView } from "./contract.ts";
import type { OpenScopes } from "./tool.ts";

const PER_PAGE = 100;
const MARKDOWN = "text/markdown";

export function scopeUri(id: string): string {
  return `knowledge://scopes/${encodeURIComponent(id)}`;
}

/** `onRead` learns which scopes clients hold, so that only their changes are sent. */
export function scopeTemplate(open: OpenScopes, onRead: (id: string) => void): ResourceTemplate {
  return {
    uriTemplate: "knowledge://scopes/{id}",
    name: "scope",
    title: "Rules of a scope",
    description:
      "The rules that apply to a project, group or product, with inheritance resolved, as Markdown. Write a slash in an id as %2F.",
    mimeType: MARKDOWN,
    async list(cursor) {
      const all = await (await open()).list();
      const offset = toOffset(cursor);
      const page = all.slice(offset, offset + PER_PAGE);
      const next = offset + page.length;
      return {
        resources: page.map(
          ({ id, tier, description }): ListedResource => ({
            uri: scopeUri(id),
            name: id,
            title: `Rules of ${id} (${tier})`,
            ...(description === undefined ? {} : { description }),
            mimeType: MARKDOWN,
          }),
        ),
        ...(next < all.length && page.length > 0 ? { next: String(next) } : {}),
      };
    },
    async read(uri, { id = "" }) {
      const scopes = await open();
      const text = await scopes.page(id);
      onRead((await scopes.get(id)).scope.id);
      return [{ uri, mimeType: MARKDOWN, text }];
    },
    complete: { id: async (typed) => (await open()).complete(typed) },
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
    async read(uri, { id = "", category = "" }) {
      const scopes = await open();
      const { notFound } = (await scopes.get(id)).keywords([category]);
      if (notFound.length > 0) {
        throw new KnowledgeError("RESOURCE_NOT_FOUND", "The scope has no such category.", {
          details: { uri },
        });
      }
      return [{ uri, mimeType: MARKDOWN, text: await scopes.page(id, category) }];
    },
    complete: {
      id: async (typed) => (await open()).complete(typed),
      category: completeCategory(open, "id"),
    },
  };
}

/** Categories of the scope that the argument `scope` names. */
function completeCategory(open: OpenScopes, scope: string): Complete {
  return async (typed, _context, given) => {
    const id = given[scope];
    if (id === undefined) return [];
    const names = (await (await open()).get(id)).categories().map(({ name }) => name);
    return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  };
}

export function scopesResource(open: OpenScopes): Resource {
  const uri = "knowledge://scopes";
  return {
    uri,
    name: "scopes",
    title: "Scopes",
    description: "Every scope with its tier, parent and number of rules, as JSON.",
    mimeType: JSON_TYPE,
    async read() {
      const view: ScopesView = { scopes: (await (await open()).list()).map(toRow) };
      return [toJsonText(uri, view)];
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
    async read(uri, { id = "" }) {
      const { scope, chain, categories, entries } = await (await open()).explain(id);
      const rows = entries.map(({ category, keyword, winner, overridden }) => ({
        category,
        keyword,
        content: winner.content,
        source_scope: winner.scope,
        source_tier: winner.tier,
        overridden,
      }));
      const view: ExplainedView = { scope, chain, categories, entries: rows };
      return [toJsonText(uri, view)];
    },
    complete: { id: async (typed) => (await open()).complete(typed) },
  };
}

function toRow(scope: ScopeSummary): ScopeRow {
  return {
    id: scope.id,
    tier: scope.tier,
    parent: scope.parent ?? null,
    ...(scope.description === undefined ? {} : { description: scope.description }),
    category_count: scope.categoryCount,
    entry_count: scope.entryCount,
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
