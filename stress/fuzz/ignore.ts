// Compares our ignore rules with the package `ignore` over real ignore files: every file below a folder is taken for
// one, and is tried on paths made from its rules and from those of other files.
//   node stress/fuzz/ignore.ts FOLDER [--paths 200]
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { splitRules } from "../../src/text/patterns/ignore-rules.ts";
import { isDisputed, judgeByOurs, judgeByPackage, pathsNear } from "./ignore-oracle.ts";
import { openRandom } from "./random.ts";

const { values, positionals } = parseArgs({
  options: { paths: { type: "string", default: "200" } },
  allowPositionals: true,
});
const [folder = "."] = positionals;
const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const texts = await Promise.all(files.map((path) => readFile(path, "utf8")));
const rules = texts.map((text) => splitRules(text).filter((line) => line !== ""));
const strange = [...new Set(rules.flat())].flatMap(pathsNear);
const random = openRandom(1);
const write = (line: string) => process.stdout.write(`${line}\n`);
const seen = { rules: 0, paths: 0, ignored: 0, differ: 0 };

for (const [at, lines] of rules.entries()) {
  const others = Array.from(
    { length: Number(values.paths) },
    () => strange[random.below(strange.length)] ?? "a",
  );
  const [ours, theirs] = [judgeByOurs(lines), judgeByPackage(lines)];
  seen.rules += lines.filter((line) => !line.startsWith("#")).length;
  for (const path of new Set([...lines.flatMap(pathsNear), ...others])) {
    const [one, other] = [ours.isIgnored(path), theirs.isIgnored(path)];
    seen.paths += 1;
    seen.ignored += Number(one);
    if (one === other) continue;
    seen.differ += 1;
    const why = lines.some(isDisputed) ? "an escaped slash before **" : "unknown";
    write(`${files[at]}: ${JSON.stringify(path)}: ours ${one}, the package ${other} (${why})`);
  }
}
write(
  `${files.length} files, ${seen.rules} rules, ${seen.paths} paths (${seen.ignored} ignored): ${seen.differ} differ`,
);
if (seen.differ > 0) process.exitCode = 1;
