import { toOffset } from "../../../domain/call/cursor.ts";
import type { Skills } from "../../family.ts";
import type { OpenScopes } from "../payload.ts";
import { skillFolder, toSkill } from "./scope-skill.ts";

// An entry names every file with its hash, so each scope on a page is rendered whole.
const PER_PAGE = 20;

/** Every scope as a skill, generated from the current rules. */
export function scopeSkills(open: OpenScopes): Skills {
  return {
    async list(cursor) {
      const scopes = await open();
      const all = await scopes.list();
      const offset = toOffset(cursor);
      const page = all.slice(offset, offset + PER_PAGE);
      const next = offset + page.length;
      return {
        skills: await Promise.all(page.map(({ id }) => toSkill(scopes, id))),
        ...(next < all.length && page.length > 0 ? { next: String(next) } : {}),
      };
    },
    async find(uri) {
      const scopes = await open();
      const found = (await scopes.list()).find(({ id }) => uri.startsWith(`${skillFolder(id)}/`));
      return found === undefined ? undefined : toSkill(scopes, found.id);
    },
  };
}
