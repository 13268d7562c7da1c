// The scopes family: three steps to the rules, the tools that write them, rules as resources, a prompt.

import { hash } from "node:crypto";
import { type Principal, SERVER } from "../../domain/call/principal.ts";
import { defined } from "../../domain/defined.ts";
import { messageOf } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Change, CheckOutcome, ToolFamily } from "../family.ts";
import type { Operations } from "../operations.ts";
import { getCategories } from "./get-categories.ts";
import { getKeywords } from "./get-keywords.ts";
import { getKnowledge } from "./get-knowledge.ts";
import { knowledgeEntryPut } from "./knowledge-entry-put.ts";
import { knowledgeEntryRemove } from "./knowledge-entry-remove.ts";
import { knowledgeScopePut } from "./knowledge-scope-put.ts";
import { knowledgeScopeRemove } from "./knowledge-scope-remove.ts";
import { knowledgeScopes } from "./knowledge-scopes.ts";
import {
  categoryTemplate,
  explainedTemplate,
  rulesPrompt,
  scopesResource,
  scopeTemplate,
  scopeUri,
} from "./resources.ts";
import { scopeSkills } from "./skills.ts";
import type { OpenScopes } from "./tool.ts";

const STEPS =
  "get_categories, get_keywords, get_knowledge: a project's rules, in three steps, before you write code, commit or review.";

export interface ScopesRooms {
  readonly scopes: OpenScopes;
  /** Notifies connected clients. */
  readonly notify: (change: Change) => void;
}

// Clients that read more than this many scopes as resources are not notified of the oldest any more.
const MAX_WATCHED = 1_000;

export function scopesFamily({ scopes, notify }: ScopesRooms): ToolFamily {
  return {
    name: "scopes",
    instructions: `${STEPS} knowledge-scope-* and knowledge-entry-* change rules: only when the user asks for it.`,
    readInstructions: STEPS,
    tools: [
      knowledgeScopes(scopes),
      getCategories(scopes),
      getKeywords(scopes),
      getKnowledge(scopes),
      knowledgeScopePut(scopes),
      knowledgeEntryPut(scopes),
      knowledgeEntryRemove(scopes),
      knowledgeScopeRemove(scopes),
    ],
    resources: [scopesResource(scopes)],
    templates: [
      scopeTemplate(scopes, openWatched(scopes, notify)),
      categoryTemplate(scopes),
      explainedTemplate(scopes),
    ],
    prompts: [rulesPrompt(scopes)],
    checks: [{ name: "rules", run: () => checkRules(scopes) }],
    skills: scopeSkills(scopes),
  };
}

/**
 * Polls the store after the first read of a scope; a server whose rules are not read never polls. Nobody is notified of a
 * change elsewhere, which could be one that they may not see.
 */
function openWatched(scopes: OpenScopes, notify: (change: Change) => void) {
  /** With a hash of their text, as one of those who hold it knows it. */
  const read = new Map<string, string>();
  const state: { ids?: ReadonlySet<string>; isStarted: boolean } = { isStarted: false };
  const open = () => scopes({ principal: SERVER });
  const listIds = async () => new Set((await (await open()).list()).map(({ id }) => id));
  const onChange = async () => {
    const all = await open();
    for (const [id, known] of read) {
      const now = hashOf(await all.page(id).catch(() => ""));
      if (now === known) continue;
      read.set(id, now);
      notify({ kind: "resource", uri: scopeUri(id), scopes: [id] });
    }
    const before = state.ids ?? new Set<string>();
    const ids = await listIds();
    const changed = [...ids, ...before].filter((id) => ids.has(id) !== before.has(id));
    if (changed.length > 0) notify({ kind: "resources", scopes: changed });
    state.ids = ids;
  };
  const start = async () => {
    state.ids = await listIds();
    // A store that is unavailable is reported by the calls that need it.
    (await open()).onChange(() => void onChange().catch(() => {}));
  };
  return (id: string, text: string) => {
    if (!state.isStarted) {
      state.isStarted = true;
      // The call that reads the scope reports it; the next one tries again.
      start().catch(() => {
        state.isStarted = false;
      });
    }
    const known = read.get(id) ?? hashOf(text);
    read.delete(id);
    read.set(id, known);
    const [oldest] = read.keys();
    if (read.size > MAX_WATCHED && oldest !== undefined) read.delete(oldest);
  };
}

function hashOf(text: string): string {
  return hash("sha256", text);
}

async function checkRules(scopes: OpenScopes): Promise<CheckOutcome> {
  try {
    const all = await (await scopes({ principal: SERVER })).list();
    if (all.length === 0) return { state: "off", detail: toMessage("rulesNone") };
    const rules = all.reduce((sum, { entryCount }) => sum + entryCount, 0);
    return { state: "ok", detail: toMessage("rulesKept", all.length, rules) };
  } catch (thrown) {
    return { state: "fail", detail: messageOf(thrown), remedy: toMessage("makeWritable") };
  }
}

/** What the command line and the console do with rules beyond the tools. */
export function ruleOperations(scopes: OpenScopes, principal: Principal) {
  const importWith =
    (dryRun: boolean): Operations["importRules"] =>
    async (paths, options) =>
      (await scopes({ principal })).import(paths, { ...options, dryRun });
  const dropWith =
    (dryRun: boolean): Operations["importDrop"] =>
    async ({ files, scope, tier, parent, guides = false, replace = false }) => {
      const options = { ...defined({ scope, tier, parent }), guides, replace, dryRun };
      return (await scopes({ principal })).importFiles(files, options);
    };
  return {
    rules: () => scopes({ principal }),
    previewRules: importWith(true),
    importRules: importWith(false),
    previewDrop: dropWith(true),
    importDrop: dropWith(false),
  } satisfies Partial<Operations>;
}
