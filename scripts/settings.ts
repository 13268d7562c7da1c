// Prints the tables of settings in the docs from their schema.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import JA from "../src/cli/ja.json" with { type: "json" };
import { SETTINGS, type Setting } from "../src/config/settings.ts";

const MARKED = /(<!-- settings:[^>]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

/** Defaults that the table puts into words. */
const DEFAULTS_JA: Readonly<Record<string, string>> = {
  "`~/.config/knowledge-server/config.yaml` if it exists":
    "`~/.config/knowledge-server/config.yaml`(あれば)",
  "working directory and home folder": "作業ディレクトリとホームフォルダー",
  "the shipped model": "同梱モデル",
  "from its metadata": "発行者のメタデータから取得",
  "6000; unlimited on loopback": "6000(ループバックでは無制限)",
  "info for servers, warn for commands": "サーバーは info、コマンドは warn",
};

interface Wording {
  readonly head: string;
  readonly help: (name: keyof typeof SETTINGS) => string;
  readonly fallback: (text: string) => string;
}

/** By page. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  "docs/settings.md": {
    head: "| flag | variable | default | what it is |",
    help: (name) => SETTINGS[name].help,
    fallback: (text) => text,
  },
  "docs/ja/settings.md": {
    head: "| フラグ | 環境変数 | 既定値 | 内容 |",
    help: (name) => JA[SETTINGS[name].help as keyof typeof JA],
    fallback: (text) => DEFAULTS_JA[text] ?? text,
  },
};

export const PAGES = Object.keys(WORDINGS);

function settingsTable({ head, help, fallback }: Wording): string {
  const names = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
  const rows = names.map((name) => {
    const setting: Setting = SETTINGS[name];
    const flag = setting.flag === undefined ? "" : `\`--${setting.flag}\``;
    const env = setting.env === undefined ? "" : `\`${setting.env}\``;
    const key = flag === "" && env === "" ? `\`${name}\`` : flag;
    return `| ${key} | ${env} | ${fallback(defaultOf(setting))} | ${help(name)} |`;
  });
  return [head, "|---|---|---|---|", ...rows, ""].join("\n");
}

export function withTable(readme: string, page: string): string {
  const wording = WORDINGS[page];
  if (wording === undefined) throw new Error(`${page} has no table of settings.`);
  return readme.replace(
    MARKED,
    (_all, head: string, foot: string) => head + settingsTable(wording) + foot,
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
  for (const page of PAGES) {
    const path = join(import.meta.dirname, "..", page);
    await writeFile(path, withTable(await readFile(path, "utf8"), page));
  }
}
