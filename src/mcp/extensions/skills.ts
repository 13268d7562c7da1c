// The Skills extension (SEP-2640): lists each family's skills with the digest of every file. The files themselves are
// resources.
import { createHash } from "node:crypto";
import { defined } from "../../domain/defined.ts";
import type { ResourceText, Skill, Skills } from "../../tools/family.ts";
import type { CallContext } from "../../tools/tool.ts";
import { type Serving, serve } from "../call-context.ts";
import { invalidParams } from "../errors.ts";
import { LIST, RESOURCE } from "../params.ts";

/** Entries are built from rules, which may change at any time. */
const FRESHNESS = { ttlMs: 0, cacheScope: "private" };

export function offerSkills(serving: Serving, skills: Skills): void {
  const { server } = serving;
  const fresh = () => ((server.getNegotiatedProtocolVersion() ?? "") >= "2026" ? FRESHNESS : {});
  serve(serving, "skills/list", LIST.default({}), async ({ cursor }, call) => {
    const { skills: page, next } = await skills.list(cursor, call);
    return { skills: page.map(toEntry), ...defined({ nextCursor: next }), ...fresh() };
  });
  serve(serving, "skills/get", RESOURCE, async ({ uri }, call) => {
    const skill = await skills.find(uri, call);
    if (skill?.uri === uri) return { skill: toEntry(skill), ...fresh() };
    throw invalidParams("skill_not_found", "There is no such skill. See skills/list.");
  });
}

export async function readSkillFile(
  skills: Skills | undefined,
  uri: string,
  context: CallContext,
): Promise<ResourceText | undefined> {
  if (!uri.startsWith("skill://")) return undefined;
  const skill = await skills?.find(uri, context);
  return skill?.files.find((file) => file.uri === uri);
}

function toEntry({ uri, frontmatter, files }: Skill) {
  return { uri, frontmatter: { ...frontmatter }, resources: files.map(toResource) };
}

function toResource({ uri, text }: ResourceText) {
  const digest = createHash("sha256").update(text).digest("hex");
  return { uri, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}
