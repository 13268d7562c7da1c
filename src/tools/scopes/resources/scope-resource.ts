// A scope's resolved rules as a resource: one Markdown page.
import { toOffset } from "../../../domain/call/cursor.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { Complete, ListedResource, ResourceTemplate } from "../../family.ts";
import type { OpenScopes } from "../payload.ts";

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
