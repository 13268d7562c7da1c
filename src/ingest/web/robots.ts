// Whether robots.txt allows a page (RFC 9309): the longest matching rule wins; on a tie, the one that allows.
import { openGlob } from "../../text/patterns/glob.ts";

const AGENT = "knowledge-server";
// Limits for untrusted input.
const MAX_LINES = 10_000;
const MAX_RULE_LENGTH = 2_000;

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
}

export function isAllowed(robots: string, path: string): boolean {
  const groups = toGroups(robots);
  const named = groups.filter(({ agents }) =>
    agents.some((agent) => AGENT.startsWith(agent) && agent !== ""),
  );
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes("*"));
  const fitting = chosen
    .flatMap(({ rules }) => rules)
    .filter(({ pattern }) => matchesRule(path, pattern));
  const [best] = fitting.sort(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows),
  );
  return best?.allows ?? true;
}

function toGroups(robots: string): readonly Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of robots.split(/\r\n?|\n/, MAX_LINES)) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const key = name.toLowerCase();
    const given = value.trim().slice(0, MAX_RULE_LENGTH);
    if (key === "user-agent") {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(given.toLowerCase());
      isNaming = true;
    } else if (key === "allow" || key === "disallow") {
      isNaming = false;
      if (given !== "") groups.at(-1)?.rules.push({ allows: key === "allow", pattern: given });
    }
  }
  return groups;
}

/** `*` matches anything, and a final `$` the end of the path; without it a rule is a prefix. */
function matchesRule(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const body = isWhole ? pattern.slice(0, -1) : `${pattern}*`;
  return openGlob(body, { star: "anything" })(path);
}
