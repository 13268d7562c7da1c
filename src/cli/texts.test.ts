import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, SETTINGS } from "../config/config.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { toMessage } from "../domain/phrases/messages.ts";
import { SOURCE_KINDS } from "../domain/source.ts";
import { asTyped, missing, unknownWord } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { examplesOf } from "./help.ts";
import { IN_ENGLISH, languageOf, openSpeech, said } from "./texts.ts";

const ja: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "ja.json"), "utf8"),
);
const HELP = new Set(Object.values(SETTINGS).map(({ help }) => help));
const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
const japanese = await openSpeech("ja");
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/** Names and signs. */
const SAME = new Set(["Id", "MB", "{0} {1} of {2}", ", "]);
const places = (text = "") =>
  [...new Set([...text.matchAll(/\{(\d)/g)].map(([, place]) => place))].toSorted();

describe("the texts", () => {
  test.each(Object.entries(ja))("%s is in both languages, with the same values", (en, text) => {
    expect(places(text)).toEqual(places(en));
    expect(JAPANESE.test(text) || SAME.has(en)).toBe(true);
    expect(en).not.toMatch(JAPANESE);
  });

  test("each is used", async () => {
    const names = (await readdir(import.meta.dirname, { recursive: true })).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const files = names.map((name) => readFile(join(import.meta.dirname, name), "utf8"));
    const code = (await Promise.all(files)).join("\n").replaceAll("\\n", "\n");
    const states = ["queued", "running", "completed", "failed", "cancelled"];
    const kinds: readonly string[] = SOURCE_KINDS;
    const values = [
      "strong",
      "fair",
      "weak",
      "healthy",
      "degraded",
      "unhealthy",
      ...states,
      ...kinds,
    ];
    const others = Object.keys(ja).filter((text) => !values.includes(text) && !HELP.has(text));
    expect(others.filter((text) => !code.includes(text))).toEqual([]);
  });
});

test("every setting has its help in Japanese", () => {
  expect([...HELP].filter((text) => ja[text] === undefined)).toEqual([]);
});

test.each(commands)("each example of $name says what it does, in Japanese too", (command) => {
  for (const { line, does } of examplesOf(command)) {
    expect(line).toMatch(/knowledge-server/);
    expect(Object.keys(ja)).toContain(does);
  }
});

test.each([
  [{ LANG: "ja_JP.UTF-8" }, "ja"],
  [{ LANG: "ja" }, "ja"],
  [{ LANG: "C.UTF-8" }, "en"],
  [{ LANG: "jam_JM" }, "en"],
  [{}, "en"],
  [{ LANG: "en_US", LC_ALL: "ja_JP" }, "ja"],
  [{ LANG: "ja_JP", LC_MESSAGES: "C" }, "en"],
  [{ LANG: "ja_JP", LC_ALL: "" }, "ja"],
])("%j is read as %s", (env, language) => {
  expect(languageOf(env)).toBe(language);
});

describe("a failure", () => {
  const explain = (thrown: unknown) => japanese.explain(thrown as KnowledgeError);

  test("of a command is explained in the person's language", () => {
    const unknown = unknownWord(said("{0} command", "sources"), "ad", ["add", "list"]);
    expect(unknown.message).toBe("There is no sources command 'ad'. Did you mean add?");
    expect(explain(unknown)).toBe("「ad」という sources のコマンドはありません。もしかして: add");
  });

  test("because of a missing argument shows the command's usage", () => {
    const [add] = commands.filter(({ name }) => name === "add");
    const typed = add && asTyped(add, missing("PATH…"));
    expect(explain(typed)).toMatch(
      /^PATH… が指定されていません。\n使い方: knowledge-server add PATH…/,
    );
    expect((typed as Error).message).toMatch(/^Missing: PATH…\.\nUsage: knowledge-server add/);
  });

  test("of a room is explained by its code, followed by the room's sentence", () => {
    const denied = new KnowledgeError("ACCESS_DENIED", "Allowed: docs.");
    expect(explain(denied)).toMatch(/^この操作は許可されていません。.*\n\(Allowed: docs\.\)$/);
    const slow = new KnowledgeError("EXTRACTION_TIMEOUT", toMessage("tooSlowForSize", 30));
    expect(explain(slow)).toBe(japanese.say(toMessage("tooSlowForSize", 30)));
    expect(IN_ENGLISH.explain(denied)).toBe("Allowed: docs.");
  });
});

test("numbers are written as the language writes them, with their noun", () => {
  expect(IN_ENGLISH.t("{0|result|results} in {1} ms", 1, 20)).toBe("1 result in 20 ms");
  expect(IN_ENGLISH.t("{0|result|results} in {1} ms", 12_345, 20)).toBe("12,345 results in 20 ms");
  expect(japanese.t("{0|result|results} in {1} ms", 12_345, 20)).toBe("12,345 件(20 ミリ秒)");
});

test("a failure with a reason is explained by it alone", () => {
  const { code, message, details } = new KnowledgeError(
    "CONFIG_INVALID",
    toMessage("portTaken", "127.0.0.1:3000"),
  );
  const explained = japanese.explain({ code, message, details });
  expect(explained).toBe(
    "127.0.0.1:3000 で待ち受けられません。このポートは使用中です。--port で別のポートを指定してください。",
  );
});

test.each([
  ["port", "abc", "--port / KNOWLEDGE_PORT: 数値を指定してください"],
  ["log-level", "loud", /--log-level \/ KNOWLEDGE_LOG_LEVEL: 次のいずれかを指定してください: /],
  ["max-request-mb", "0", /--max-request-mb .*: 1 以上を指定してください/],
])("a wrong setting, --%s %s, is explained in Japanese", async (flag, given, explained) => {
  const place = { env: {}, home: "/home/x", cwd: "/home/x", platform: "linux" } as const;
  const refused = await loadConfig({ [flag]: given }, place).catch((thrown) => thrown);
  const text = japanese.explain(refused);
  expect(text).toMatch(explained);
  expect(text).not.toMatch(/must|configuration/);
});
