// Random calls on every way to the data: tools, resources, templates, completions, prompts, skills, tasks, operations.
import { Readable } from "node:stream";
import type { Principal } from "../../src/domain/call/principal.ts";
import { isSeen } from "../../src/domain/call/sight.ts";
import { toKnowledgeError } from "../../src/domain/errors.ts";
import type { Operations, PageWanted } from "../../src/tools/operations.ts";
import { callContext } from "../../test/support/call-context.ts";
import type { Random } from "../fuzz/random.ts";
import type { Base } from "./base.ts";
import type { World } from "./world.ts";

export interface Call {
  readonly name: string;
  /** What it returns, or how it fails. */
  run(base: Base, who: Principal): Promise<unknown>;
}

type Make = (random: Random, world: World) => Call;

const list = <Item>(items: readonly Item[]) => items as readonly [Item, ...Item[]];

function tool(name: string, args: object): Call {
  return {
    name: `${name} ${JSON.stringify(args)}`,
    async run({ toolbox }, principal) {
      const found = toolbox.tool(name);
      if (!found) throw new Error(`no tool ${name}`);
      return toolbox.run(found, args, callContext({ principal }));
    },
  };
}

function way(name: string, run: Call["run"]): Call {
  return {
    name,
    run: (base, who) =>
      run(base, who).catch((thrown: unknown) => {
        const { code, message, details } = toKnowledgeError(thrown);
        return { code, message, details };
      }),
  };
}

function wordsOf(random: Random, { words }: World): string {
  const word = () => {
    const typed = random.pick(list(words));
    if (random.chance(0.2)) return typed.slice(0, -2);
    return random.chance(0.2) ? typed.replace(/[aeiou]/, "x") : typed;
  };
  const query = Array.from({ length: 1 + random.below(4) }, word).join(" ");
  return random.chance(0.15) ? `"${query}"` : query;
}

const scopeOf = (random: Random, { scopes }: World) =>
  random.chance(0.1) ? "nowhere" : random.pick(list(scopes));
const someScope = (random: Random, world: World) =>
  random.chance(0.4) ? { scope: scopeOf(random, world) } : {};
const documentOf = (random: Random, { documents }: World) => random.pick(list(documents));

function filtersOf(random: Random, world: World) {
  if (random.chance(0.6)) return {};
  const { scopes } = world;
  const filters = random.pick<object>([
    { [`key-${random.pick(list(scopes))}`]: random.below(3) },
    { team: random.pick(list(scopes)) },
    { document_id: documentOf(random, world) },
    { filename: "notes-0.txt" },
    { format: random.pick(["txt", "pdf"]) },
    { path: random.pick(["notes*", "**/guide*"]) },
    { date_range: { start: "2020-01-01" } },
    { modified_from: "2020-01-01" },
    { as_of: "2030-01-01" },
  ]);
  return { filters };
}

const READS: readonly Make[] = [
  (random, world) => {
    const search = { query: wordsOf(random, world), min_relevance: 0, explain: true };
    return tool("knowledge-search", {
      ...search,
      ...filtersOf(random, world),
      ...someScope(random, world),
    });
  },
  (random, world) =>
    tool("knowledge-search", { query: wordsOf(random, world), ...someScope(random, world) }),
  // Pasted text: its rarest words are chosen by the statistics.
  (random, { words }) => {
    const short = words.filter(({ length }) => length < 6);
    const query = short.filter(() => random.chance(0.95)).join(" ");
    return tool("knowledge-search", { query: query.slice(0, 500), min_relevance: 0 });
  },
  (random, world) =>
    tool("kb_answer", {
      query: `What is the ${wordsOf(random, world)}?`,
      ...someScope(random, world),
    }),
  (random, world) =>
    tool("knowledge-show", {
      limit: 1 + random.below(20),
      offset: random.below(4),
      ...someScope(random, world),
    }),
  (random) =>
    tool("knowledge-show", { sort_by: "filename", match: random.pick(["notes", "plan", "-1"]) }),
  (random, world) =>
    tool("knowledge-show", { document_id: documentOf(random, world), ...someScope(random, world) }),
  (random, world) =>
    tool("knowledge-read", { document_id: documentOf(random, world), ...someScope(random, world) }),
  () => tool("knowledge-status", {}),
  (random, { tasks }) => tool("knowledge-task-status", { task_id: random.pick(list(tasks)) }),
  (random, world) =>
    tool("knowledge-remove", { document_id: documentOf(random, world), confirm: false }),
  (random, world) =>
    tool("knowledge-clear", {
      confirm: false,
      confirmation_phrase: "",
      ...someScope(random, world),
    }),
  (random, world) => tool("search", { query: wordsOf(random, world) }),
  (random, world) => tool("fetch", { id: documentOf(random, world) }),
  (random, world) => tool("get_categories", { project_name: scopeOf(random, world) }),
  (random, world) =>
    tool("get_keywords", { project_name: scopeOf(random, world), categories: ["style"] }),
  (random, world) =>
    tool("get_knowledge", { scope_id: scopeOf(random, world), keywords: ["naming", "shared"] }),
  () => tool("get_knowledge", { keywords: ["naming"] }),
  () => tool("knowledge-scopes", {}),
  (random, world) => tool("knowledge-scopes", { under: scopeOf(random, world) }),
  (random, world) => readOf(random, world),
  () =>
    way("resources/list", async ({ resources }, principal) => {
      const context = callContext({ principal });
      const pages = [await resources.list(undefined, context)];
      for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor)
        pages.push(await resources.list(cursor, context));
      return pages;
    }),
  (random, world) => completionOf(random, world),
  (random, world) => {
    const asked = { project_name: scopeOf(random, world), task: "x" };
    return way(`prompt ${asked.project_name}`, async ({ toolbox }, principal) => {
      const prompt = toolbox.prompts.find(({ name }) => name === "follow-project-rules");
      return prompt?.render(asked, callContext({ principal }));
    });
  },
  () =>
    way("skills/list", async ({ toolbox }, principal) =>
      toolbox.skills?.list(undefined, callContext({ principal })),
    ),
  (random, world) => {
    const uri = `skill://scopes/${scopeOf(random, world)}/SKILL.md`;
    return way(uri, async ({ toolbox }, principal) =>
      toolbox.skills?.find(uri, callContext({ principal })),
    );
  },
  (random, { tasks }) => {
    const id = random.pick(list(tasks));
    return way(`tasks/get ${id}`, async ({ toolbox }, who) => toolbox.task(id, who));
  },
  (random, world) => {
    const id = documentOf(random, world);
    return way(`console ${id}`, async ({ toolbox }, who) => {
      const operations = toolbox.operationsFor(who);
      const view = await operations.originalView(id);
      const { filename, body, release } = await operations.original(id);
      body.destroy();
      await release();
      return { view, filename, text: await operations.documentText(id) };
    });
  },
  (random, world) => {
    const wanted = { documentId: documentOf(random, world), page: 1 + random.below(2) };
    const want = random.pick(["words", "small"] as const);
    return way(`console page ${wanted.documentId} ${want}`, async ({ toolbox }, who) =>
      toolbox
        .operationsFor(who)
        .showPage({ ...wanted, want } as PageWanted, new AbortController().signal),
    );
  },
  (random, world) =>
    tool("knowledge-read", { document_id: documentOf(random, world), as: "image", page: 1 }),
  (random, world) =>
    tool("knowledge-search", {
      query: `guide ${wordsOf(random, world)}`,
      include_hidden: true,
      min_relevance: 0,
      ...filtersOf(random, world),
    }),
  (random, world) => {
    const scope = scopeOf(random, world);
    const text = `## Style\n\n- ${random.pick(["naming", "shared"])}: ${wordsOf(random, world)}\n`;
    const drop = { files: [{ path: "AGENTS.md", text }], scope, write: false };
    return way(`preview of rules for ${scope}`, async ({ toolbox }, who) =>
      toolbox.operationsFor(who).previewDrop(drop),
    );
  },
  (random, world) => {
    const id = scopeOf(random, world);
    return way(`console rules of ${id}`, async ({ toolbox }, who) => {
      const rules = await toolbox.operationsFor(who).rules();
      return [await rules.explain(id), await rules.page(id), await rules.export("yaml", [id])];
    });
  },
  () => way("sources", async ({ toolbox }, who) => toolbox.operationsFor(who).sources()),
  () => tool("knowledge-sources", { action: "list" }),
  (random, { sources }) => {
    const id = random.pick(list(sources));
    return way(`failures of source ${id}`, async ({ toolbox }, who) =>
      toolbox.operationsFor(who).sourceFailures(id),
    );
  },
  () => way("samples", async ({ toolbox }, who) => toolbox.operationsFor(who).samples()),
  () => way("checks", async ({ toolbox }, who) => toolbox.operationsFor(who).checks()),
  (random, world) =>
    way("pinned check", async ({ toolbox }, who) =>
      toolbox
        .operationsFor(who)
        .pinCheck({ question: "where", documentId: documentOf(random, world) } as Pin),
    ),
  () => way("access", async ({ toolbox }, who) => toolbox.operationsFor(who).access()),
  () => way("to refine", async ({ toolbox }, who) => toolbox.operationsFor(who).toRefine()),
  (random, world) => {
    const text = `Nobody sees ${wordsOf(random, world)} here.`;
    return way(`hidden change ${text}`, async (base, who) => {
      const sight = await base.sights.of({ principal: who });
      const hidden = world.scopes.find((id) => !isSeen(id, sight));
      if (hidden === undefined || !(await isThere(base, hidden))) return "unseen";
      const args = { filename: "unseen.txt", text, scope: hidden, async: false };
      const { document_id } = (await base.own("knowledge-add-text", args)) as Added;
      await base.own("knowledge-remove", { document_id, confirm: true });
      const rule = { scope_id: hidden, category: "unseen", keyword: "unseen" };
      await base.own("knowledge-entry-put", { ...rule, content: text });
      await base.own("knowledge-entry-remove", rule);
      return "unseen";
    });
  },
  () =>
    way("console tasks", async ({ toolbox }, who) =>
      toolbox.operationsFor(who).tasks({ limit: 50, open: true }),
    ),
  () =>
    way("console rules", async ({ toolbox }, who) => {
      const rules = await toolbox.operationsFor(who).rules();
      return [await rules.list(), await rules.check(), await rules.export("json")];
    }),
];

type GivenSource = Parameters<Operations["addSource"]>[0];
type Pin = Parameters<Operations["pinCheck"]>[0];

interface Added {
  readonly document_id: string;
}

async function isThere({ store }: Base, scope: string): Promise<boolean> {
  return (await store.scopes.list()).some(({ id }) => id === scope);
}

function readOf(random: Random, world: World): Call {
  const uri = random.pick([
    `knowledge://documents/${documentOf(random, world)}`,
    `knowledge://documents/${documentOf(random, world)}/passages`,
    `knowledge://documents/${documentOf(random, world)}/pages/1`,
    `knowledge://scopes/${scopeOf(random, world)}`,
    `knowledge://scopes/${scopeOf(random, world)}/style`,
    `knowledge://explained-scopes/${scopeOf(random, world)}`,
    "knowledge://scopes",
    "knowledge://tasks",
  ]);
  return way(uri, ({ resources }, principal) => resources.read(uri, callContext({ principal })));
}

function completionOf(random: Random, world: World): Call {
  const [uri, name, value] = random.pick<readonly [string, string, string]>([
    ["knowledge://documents/{id}", "id", random.pick(["", "notes", "a", "1"])],
    ["knowledge://scopes/{id}", "id", random.pick(["", "s", "g"])],
    ["knowledge://scopes/{id}/{category}", "category", ""],
  ]);
  const id = scopeOf(random, world);
  const request = {
    ref: { type: "ref/resource" as const, uri },
    argument: { name, value },
    context: { arguments: { id } },
  };
  return way(`complete ${uri} ${value} ${id}`, ({ resources }, principal) =>
    resources.complete(request, callContext({ principal })),
  );
}

/** Made on both bases, which must then still be the same. */
const WRITES: readonly Make[] = [
  (random, world) => {
    const text = random.chance(0.5)
      ? random.pick(list(world.texts))
      : `New ${wordsOf(random, world)}.`;
    const args = {
      filename: "added.txt",
      text,
      async: random.chance(0.5),
      ...someScope(random, world),
    };
    return tool("knowledge-add-text", args);
  },
  (random, world) =>
    tool("knowledge-remove", {
      document_id: documentOf(random, world),
      confirm: true,
      ...someScope(random, world),
    }),
  (random, { tasks }) => tool("knowledge-task-cancel", { task_id: random.pick(list(tasks)) }),
  (random, world) => {
    const rule = { category: "style", keyword: "naming", content: `changed ${random.below(9)}` };
    return tool("knowledge-entry-put", { scope_id: scopeOf(random, world), ...rule });
  },
  (random, world) =>
    tool("knowledge-entry-remove", {
      scope_id: scopeOf(random, world),
      category: "style",
      keyword: "shared",
    }),
  (random, world) => {
    const scope = {
      scope_id: `new-${random.below(1e9)}`,
      tier: "PROJECT",
      parent: scopeOf(random, world),
    };
    return tool("knowledge-scope-put", scope);
  },
  (random, world) => {
    const address = `https://docs.example/${random.below(3)}/`;
    const given = { kind: "site", address, settings: { depth: 1, ...someScope(random, world) } };
    return way(`add source ${JSON.stringify(given)}`, async ({ toolbox }, who) =>
      toolbox.operationsFor(who).addSource(given as GivenSource),
    );
  },
  (random, { sources }) => {
    const action = random.pick(["sync", "pause", "resume", "remove"]);
    return tool("knowledge-sources", { action, source_id: random.pick(list(sources)) });
  },
  (random, { sources }) => {
    const id = random.pick(list(sources));
    const [isPaused, documents] = [random.chance(0.5), random.chance(0.5)];
    const isRemoved = random.chance(0.3);
    return way(`change source ${id}`, async ({ toolbox }, who) => {
      const operations = toolbox.operationsFor(who);
      if (isRemoved) return operations.removeSource({ id, documents });
      return operations.pauseSource({ id, isPaused });
    });
  },
  (random, world) => {
    const text = random.pick(list(world.texts));
    const placed = someScope(random, world);
    return way(`upload ${JSON.stringify(placed)}`, async ({ toolbox }, who) => {
      const body = Readable.from([Buffer.from(text)]);
      return toolbox.operationsFor(who).upload({ filename: "uploaded.txt", body, ...placed });
    });
  },
  () =>
    way("remove samples", async ({ toolbox }, who) => toolbox.operationsFor(who).removeSamples()),
  (random, world) => {
    const [id, scope] = [documentOf(random, world), scopeOf(random, world)];
    return way(`move ${id} ${scope}`, ({ toolbox }, who) =>
      toolbox.operationsFor(who).move(id, scope),
    );
  },
  (random, world) =>
    tool("knowledge-clear", {
      ...{ confirm: true, confirmation_phrase: "DELETE ALL", scope: scopeOf(random, world) },
    }),
];

export function randomRead(random: Random, world: World): Call {
  return random.pick(list(READS))(random, world);
}

export function randomWrite(random: Random, world: World): Call {
  return random.pick(list(WRITES))(random, world);
}
