// Every promise of the store's port, for any driver.
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { documentCases } from "./store/documents.ts";
import { scopedDocumentCases } from "./store/documents-in-scopes.ts";
import { originalCases } from "./store/originals.ts";
import { refinementCases } from "./store/refinements.ts";
import { scopeCases } from "./store/scopes.ts";
import { searchCases } from "./store/search.ts";
import { sourceCases } from "./store/sources.ts";
import { taskCases } from "./store/tasks.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** Another store on the same data, as another process opens it. */
  another(): Promise<Store>;
  /** Closes every store and removes the data. */
  dispose(): Promise<void>;
}

/** The context of a case: `store` is empty at its start and closed by the suite. */
export interface Subject {
  readonly store: Store;
  another(): Promise<Store>;
}

/** `skipped`: the reason why a case cannot hold, by its name. */
export function storeSuite(
  name: string,
  open: () => Promise<StoreUnderTest>,
  skipped: Readonly<Record<string, string>> = {},
): void {
  describe(`store: ${name}`, () => {
    beforeEach(({ task, skip }) => {
      const reason = skipped[task.name];
      if (reason !== undefined) skip(reason);
    });
    let current: StoreUnderTest;
    const others: Store[] = [];
    beforeAll(async () => {
      current = await open();
    });
    afterEach(async () => {
      await Promise.all(others.splice(0).map((other) => other.close()));
      await empty(current.store);
    });
    afterAll(() => current.dispose());
    const subject: Subject = {
      get store() {
        return current.store;
      },
      async another() {
        const other = await current.another();
        others.push(other);
        return other;
      },
    };
    documentCases(subject);
    scopedDocumentCases(subject);
    searchCases(subject);
    originalCases(subject);
    refinementCases(subject);
    taskCases(subject);
    scopeCases(subject);
    sourceCases(subject);
  });
}

/** Through the port alone: starting a store's threads or schema for every case would take far longer. */
async function empty({ documents, scopes, sources, tasks }: Store): Promise<void> {
  for (const { id } of await sources.list()) await sources.remove(id);
  await documents.clear();
  for (const task of await tasks.list({ limit: 1000, open: true })) await tasks.cancel(task.id);
  await tasks.prune("2999-01-01T00:00:00.000Z");
  const all = await scopes.all();
  await scopes.apply(all.map(({ id }) => ({ kind: "remove-scope" as const, id })).reverse());
}
