// What the package `ignore` says about a path, and what we say, for the tests that compare them.
import ignore from "ignore";
import { openIgnoreRules } from "../../src/text/patterns/ignore-rules.ts";

/** For each path, a folder if it ends with a slash: whether it or a folder above it is ignored. */
export interface PassageSignals {
  isIgnored(path: string): boolean;
}

export function judgeByPackage(lines: readonly string[]): PassageSignals {
  const rules = ignore().add([...lines]);
  return { isIgnored: (path) => rules.ignores(path) };
}

export function judgeByOurs(lines: readonly string[]): PassageSignals {
  const rules = openIgnoreRules(lines);
  return {
    isIgnored: (path) => {
      const parts = path.replace(/\/$/, "").split("/");
      return parts.some((_, at) => {
        const isFolder = at < parts.length - 1 || path.endsWith("/");
        return rules.match(parts.slice(0, at + 1).join("/"), isFolder) === "ignored";
      });
    },
  };
}

/**
 * The package reads `**` after an escaped slash as one star; git, and we, as any number of folders. In the package
 * a `**` does not match a name with a line break.
 */
export function isDisputed(line: string): boolean {
  return /\\\/\*\*/.test(line);
}

/** Paths that a pattern may match or just miss. */
export function pathsNear(pattern: string): readonly string[] {
  const plain = pattern.replace(/^!/, "").replace(/[\r ]+$/, "");
  const fill = (star: string, deep: string) =>
    plain
      .replace(/\*\*+/g, deep)
      .replaceAll("*", star)
      .replaceAll("?", "z")
      .replace(/\[[!^]?(?:\\?(.))[^\]]*\]/g, "$1")
      .replaceAll("\\", "")
      .split("/")
      .filter((part) => part !== "" && part !== "." && part !== "..")
      .join("/");
  const bodies = [
    fill("x", "p/q"),
    fill("", ""),
    fill("a.b", "deep"),
    fill("x", "p").toUpperCase(),
  ];
  const near = bodies
    .filter((body) => body !== "")
    .flatMap((body) => [body, `in/${body}`, `${body}/below.txt`, `${body}x`, `x${body}`]);
  return [...new Set(near)].flatMap((path) => [path, `${path}/`]);
}
