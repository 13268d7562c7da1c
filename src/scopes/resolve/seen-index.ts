// The index for a caller who does not see every scope: others do not exist. A visible scope inherits only visible ones.
import { isSeen, type Sight } from "../../domain/call/sight.ts";
import type { ScopeStore } from "../../store/store.ts";
import { toName } from "../names.ts";
import { naming, type ScopeIndex, unknownScope } from "./scope-index.ts";

export function seenIndex(index: ScopeIndex, sight: Sight): ScopeIndex {
  const list = async () => (await index.list()).filter(({ id }) => isSeen(id, sight));
  const unknown = async (id: string) => unknownScope(id, await list());
  return {
    ...index,
    list,
    unknown,
    get: async (asked) => {
      const id = toName(asked);
      if ((await list()).some((scope) => scope.id === id)) return index.get(id);
      throw await unknown(id);
    },
    known: async () => naming((await list()).map(({ id }) => id)),
  };
}

export function seenStore(store: ScopeStore, sight: Sight): ScopeStore {
  return {
    ...store,
    list: async () => (await store.list()).filter(({ id }) => isSeen(id, sight)),
    chain: async (id) => (isSeen(id, sight) ? store.chain(id) : []),
    all: async () => (await store.all()).filter(({ id }) => isSeen(id, sight)),
  };
}
