// Whether robots.txt allows a page (RFC 9309): the longest matching rule wins; on a tie, the one that allows.
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
  delay: number;
}

export function isAllowed(robots: string, path: string): boolean {
  const fitting = ownGroups(robots)
    .flatMap(({ rules }) => rules)
    .filter(({ pattern }) => matchesRule(path, pattern));
  const [best] = fitting.sort(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows),
  );
  return best?.allows ?? true;
}

/** The seconds between two requests that the site asks for. */
export function crawlDelay(robots: string): number {
  return Math.max(0, ...ownGroups(robots).map(({ delay }) => delay));
}

/** The addresses of sitemaps, which hold for every program. */
export function sitemapsIn(robots: string): readonly string[] {
  return [...robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim)].map(([, at = ""]) => at);
}

function ownGroups(robots: string): readonly Group[] {
  const groups = toGroups(robots);
  const named = groups.filter(({ agents }) =>
    agents.some((agent) => AGENT.startsWith(agent) && agent !== ""),
  );
  return named.length > 0 ? named : groups.filter(({ agents }) => agents.includes("*"));
}

function toGroups(robots: string): readonly Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of robots.split(/\r\n?|\n/, MAX_LINES)) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const key = name.toLowerCase();
    const given = value.trim().slice(0, MAX_RULE_LENGTH);
    if (key === "user-agent") {
      if (!isNaming) groups.push({ agents: [], rules: [], delay: 0 });
      groups.at(-1)?.agents.push(given.toLowerCase());
      isNaming = true;
    } else if (key === "allow" || key === "disallow" || key === "crawl-delay") {
      isNaming = false;
      const last = groups.at(-1);
      if (last && given !== "") addRule(last, key, given);
    }
  }
  return groups;
}

function addRule(group: Group, key: "allow" | "disallow" | "crawl-delay", given: string): void {
  if (key === "crawl-delay") group.delay = Math.max(0, Number(given) || 0);
  else group.rules.push({ allows: key === "allow", pattern: given });
}

/**
 * `*` matches anything, and a final `$` the end of the path; without it a rule is a prefix. Each part between stars is
 * looked for once, after the one before it.
 */
function matchesRule(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  const last = isWhole ? parts.pop() : "";
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
