import { describe, expect, test } from "vitest";
import {
  chooseCommand,
  messageAsTyped,
  parseArguments,
  toContext,
  unknownWord,
} from "./arguments.ts";
import type { Command } from "./command.ts";
import { said } from "./texts.ts";

const FLAGS = { "data-dir": { type: "string" }, "top-k": { type: "string" } } as const;

const COMMAND: Command = {
  name: "search",
  effect: "read",
  usage: "find WORDS",
  summary: "Search the documents",
  words: [],
  options: {
    limit: {
      help: "maximum number of documents (default 100)",
      short: "n",
      value: "N",
      range: [1, 50],
    },
    share: { help: "metadata", value: "X", range: [0, 1], isFraction: true },
    tag: { help: "metadata", value: "NAME…" },
    meta: { help: "metadata", value: "KEY=VALUE" },
    kind: { help: "metadata", value: "KIND", choices: ["Big", "small"] },
    all: { help: "metadata" },
  },
  examples: "",
  run: async () => 0,
};

test.each([
  ["serch", "search"],
  ["searhc", "search"],
  ["Search", "search"],
  ["ad", "add"],
  ["stat", "status"],
])("for %s, %s is suggested", (given, meant) => {
  const { message } = unknownWord(said("command"), given, ["add", "search", "show", "status"]);
  expect(message).toMatch(new RegExp(`^There is no command '${given}'\\. Did you mean ${meant}`));
});

test("an unknown command that resembles none points to the help", () => {
  const { message } = unknownWord(said("command"), "xyzzy", ["add", "search"]);
  expect(message).toBe("There is no command 'xyzzy'. See knowledge-server --help.");
});

test.each([
  ["--limt", "--limit"],
  ["--top_k", "--top-k"],
  ["--dta-dir", "--data-dir"],
  ["--jsno", "--json"],
])("for the option %s, %s is suggested", (given, meant) => {
  expect(() => parseArguments(COMMAND, [given, "3"], FLAGS)).toThrow(
    `Unknown option '${given}'. Did you mean ${meant}?\nUsage: knowledge-server find`,
  );
});

test.each([
  ["'limit': must be at most 5.", "--limit: must be at most 5."],
  ["'filters.format': must be one of pdf.", "--format: must be one of pdf."],
  ["'filters.format.0': must be text.", "--format: must be text."],
  ["'filters.tags': must be text.", "--tag: must be text."],
  ["'filters.date_range.start': must be a date.", "--filter date_range.start: must be a date."],
  ["The parameter 'query' is required.", "WORDS is required."],
  [
    "'query': must be text. 'max_chars': must be 1.",
    "WORDS: must be text. 'max_chars': must be 1.",
  ],
  ["There is no 'limit' here.", "There is no 'limit' here."],
])("%j is shown as %j", (message, shown) => {
  const format = { help: "metadata", value: "F" } as const;
  const parameters = { query: "WORDS", "filters.tags": "--tag", filters: "--filter" };
  const command = { ...COMMAND, options: { ...COMMAND.options, format }, parameters };
  expect(messageAsTyped(command, message)).toBe(shown);
});

test("an option without its value is bad usage too", () => {
  expect(() => parseArguments(COMMAND, ["--limit"], FLAGS)).toThrow("Usage: knowledge-server find");
});

test("a command may be anywhere on the line", () => {
  const chosen = chooseCommand(["--data-dir", "/kb", "find", "x"], FLAGS);
  expect(chosen).toEqual({ name: "find", args: ["--data-dir", "/kb", "x"] });
  expect(chooseCommand(["find", "--help"], FLAGS)).toEqual({ name: "help", args: ["find"] });
  expect(chooseCommand([], FLAGS)).toEqual({ name: "stdio", args: [] });
});

describe("options are read as they are declared:", () => {
  const read = (...typed: readonly string[]) => {
    const { values, positionals } = parseArguments(COMMAND, typed, FLAGS);
    return toContext(COMMAND, values, positionals).options;
  };

  test("what is given", () => {
    const typed = "-n 7 --share 0.5 --tag a --tag b --meta x=1 --meta y=z --kind big --all";
    expect(read(...typed.split(" "))).toEqual({
      ...{ limit: 7, share: 0.5, tag: ["a", "b"], kind: "Big", all: true },
      meta: { x: 1, y: "z" },
    });
  });

  test("what is not", () => {
    expect(read()).toEqual({ tag: [], meta: {}, all: false });
  });

  test.each(["abc", "", " ", "0", "51", "1.5", "NaN", "Infinity"])(
    "--limit %j is refused",
    (given) => {
      expect(() => read("--limit", given)).toThrow("--limit takes a whole number from 1 to 50.");
    },
  );

  test.each([
    ["--share", "2", "--share takes a number from 0 to 1."],
    ["--meta", "x", "--meta takes KEY=VALUE, not 'x'."],
    ["--kind", "huge", "--kind: must be one of Big, small."],
  ])("%s %s is refused", (option, given, message) => {
    expect(() => read(option, given)).toThrow(message);
  });
});
