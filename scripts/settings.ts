// Prints the README's table of settings from their schema.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SETTINGS, type Setting } from "../src/config/settings.ts";

const MARKED = /(<!-- settings:[^>]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

export function settingsTable(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const flag = setting.flag === undefined ? "" : `\`--${setting.flag}\``;
    const env = setting.env === undefined ? "" : `\`${setting.env}\``;
    const key = flag === "" && env === "" ? `\`${name}\`` : flag;
    return `| ${key} | ${env} | ${defaultOf(setting)} | ${setting.help} |`;
  });
  return ["| flag | variable | default | what it is |", "|---|---|---|---|", ...rows, ""].join(
    "\n",
  );
}

export function withTable(readme: string): string {
  return readme.replace(
    MARKED,
    (_all, head: string, foot: string) => head + settingsTable() + foot,
  );
}

function defaultOf({ schema, fallbackText }: Setting): string {
  if (fallbackText !== undefined) return fallbackText;
  const parsed = schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return "";
  const text = Array.isArray(parsed.data) ? parsed.data.join(",") : String(parsed.data);
  return text === "" ? "" : `\`${text}\``;
}

if (import.meta.main) {
  const path = join(import.meta.dirname, "..", "README.md");
  await writeFile(path, withTable(await readFile(path, "utf8")));
}
