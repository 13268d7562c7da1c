import type { Principal } from "../../domain/call/principal.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Operations } from "../operations.ts";
import type { OpenScopes } from "../sights.ts";
import type { TokenFile } from "./contract.ts";

/** Without a token file there is nothing to change. */
export function accessOperations(
  scopes: OpenScopes,
  tokenFile: (() => Promise<TokenFile>) | undefined,
  principal: Principal,
) {
  const file = async () => {
    if (tokenFile) return tokenFile();
    throw new KnowledgeError("CONFIG_INVALID", toMessage("tokenFileUnset"));
  };
  return {
    access: async () => {
      const listed = (await tokenFile?.().then(({ list }) => list())) ?? { tokens: [], groups: [] };
      return { scopes: await (await scopes({ principal })).list(), ...listed };
    },
    createToken: async (entry) => (await file()).create(entry),
    revokeToken: async (name) => {
      const count = await (await file()).revoke(name);
      if (count === 0) throw noSuchToken();
      return count;
    },
    viewAs: async (_name, issue) => {
      const token = issue();
      if (token === undefined) throw noSuchToken();
      return token;
    },
  } satisfies Partial<Operations>;
}

function noSuchToken(): KnowledgeError {
  const message = "There is no token of that name. `knowledge-server tokens list` shows them.";
  return new KnowledgeError("RESOURCE_NOT_FOUND", message);
}
