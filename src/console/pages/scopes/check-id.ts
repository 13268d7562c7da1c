// Checks an id while it is typed: the server's rule, and what only a form can know.
import { type NameFault, nameFault, toName } from "../../../domain/scope.ts";

export type IdFault = NameFault | "taken";

export function checkId(typed: string, known: readonly string[]): IdFault | undefined {
  const id = toName(typed);
  return nameFault("id", id) ?? (known.includes(id) ? "taken" : undefined);
}

/**
 * Suggests an id without spaces and characters that cause trouble for agents and shells; undefined
 * if the typed id has none of these.
 */
export function easierId(typed: string): string | undefined {
  const id = toName(typed);
  const easier = id.replace(/[^\p{L}\p{N}\p{M}._/@-]+/gu, "-").replace(/^-+|-+$/g, "");
  return easier === id || easier === "" ? undefined : easier;
}
