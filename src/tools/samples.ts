// The sample collection of a new knowledge base: added, counted and removed as one.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Principal } from "../domain/call/principal.ts";
import { fromTaskFailure } from "../domain/task.ts";
import type { Scopes } from "../scopes/scopes.ts";
import { type DocumentRooms, seenBy } from "./documents/tool.ts";
import type { Operations } from "./operations.ts";

/** The tag that marks a document as one of the samples. */
const TAG = "hinoki-sample";
const RULES = "rules.yaml";
/** Children first: a scope that others inherit from cannot be removed. */
const SCOPES = ["hinoki-checkout", "hinoki-shop", "hinoki"];
// They were added before anything else, so they are among the oldest documents.
const OLDEST = { limit: 50, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;

interface SampleParts extends Pick<Operations, "addFile"> {
  readonly folder: string;
  readonly documents: DocumentRooms;
  readonly who: Principal;
}

export function sampleOperations({ folder, documents, who: principal, addFile }: SampleParts) {
  const scopes = () => documents.sights.scopes({ principal });
  const marked = async () => {
    const store = await (await seenBy(documents, { principal })).store();
    const { documents: oldest } = await store.documents.list(OLDEST);
    return oldest.filter(({ metadata: { tags } }) => Array.isArray(tags) && tags.includes(TAG));
  };
  return {
    async samples() {
      const all = await (await scopes()).list();
      const present = all.filter(({ id }) => SCOPES.includes(id)).length;
      const ids = (await marked()).map(({ id }) => id);
      return { documents: ids.length, scopes: present, ids };
    },
    async addSamples(signal) {
      const names = (await readdir(folder)).filter((name) => name !== RULES);
      const watch = { signal, onProgress: () => {} };
      for (const name of names) {
        const file = { path: join(folder, name), metadata: { tags: [TAG] }, forceOcr: false };
        const added = await addFile(file, watch);
        if (!added.success) throw fromTaskFailure(added);
      }
      await (await scopes()).import([join(folder, RULES)], { dryRun: false });
    },
    async removeSamples() {
      const { documents: store } = await documents.store();
      const found = await marked();
      for (const { id } of found) await store.remove(id);
      if (found.length > 0) documents.onRemoved(undefined);
      return { documents: found.length, scopes: await removeScopes(await scopes()) };
    },
  } satisfies Partial<Operations>;
}

/** Returns how many there were. */
async function removeScopes(rules: Scopes): Promise<number> {
  let removed = 0;
  for (const id of SCOPES) {
    const all = await rules.list();
    // A scope of the user's own may inherit from it by now.
    const isRemovable =
      all.some((scope) => scope.id === id) && all.every(({ parent }) => parent !== id);
    if (isRemovable) await rules.removeScope(id);
    removed += Number(isRemovable);
  }
  return removed;
}
