import { EVERYWHERE, GENERAL_SCOPE, parseGrant } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import { KnowledgeError, messageOf, toKnowledgeError } from "../../domain/errors.ts";
import { toEnglish, toMessage } from "../../domain/phrases/messages.ts";
import type { Check, CheckOutcome } from "../../tools/family.ts";
import type { FolderFinding } from "../../tools/operations.ts";
import { command, type OpenToolbox } from "../command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Text } from "../texts.ts";
import { hostChecks } from "./host-checks.ts";

const MARKS = { ok: "✓", warn: "!", fail: "✗", off: "·" } as const;
const STYLES = { ok: "green", warn: "yellow", fail: "red", off: "dim" } as const;

interface Finding extends CheckOutcome {
  readonly name: string;
}

export const doctor = command({
  name: "doctor",
  summary: "Check the installation and show how to fix problems",
  effect: "read",
  usage: "doctor",
  options: {},
  examples: `
    knowledge-server doctor         # check everything a server needs
    knowledge-server doctor --json  # print the findings as JSON
  `,
  async run({ openApp, terminal, signal, config, about }) {
    const opened = await openApp().catch(toKnowledgeError);
    const rooms =
      opened instanceof KnowledgeError
        ? [{ name: "database", run: async () => toOutcome(opened) }]
        : [databaseCheck(opened), ...opened.checks, grantsCheck(opened)];
    const checks = [...hostChecks({ ...about, dataDir: config.dataDir }), ...rooms];
    const findings: Finding[] = [];
    for (const check of checks) {
      const outcome = terminal.during(
        terminal.t("Checking {0}", nameOf(check.name, terminal)),
        outcomeOf(() => check.run(signal)),
      );
      findings.push({ name: check.name, ...(await outcome) });
    }
    terminal.result(findings.map(toJson), () => {
      for (const finding of findings) show(finding, terminal);
    });
    return findings.some(({ state }) => state === "fail") ? 1 : 0;
  },
});

function show({ name, state, detail, remedy }: Finding, terminal: Terminal): void {
  const mark = terminal.style(STYLES[state], MARKS[state]);
  terminal.line(`${mark} ${nameOf(name, terminal)}: ${terminal.say(detail)}`);
  for (const each of [remedy ?? []].flat()) terminal.line(`  → ${terminal.say(each)}`);
}

/** Of the checks; a program's name is the same in every language. */
const NAMES: readonly Text[] = [
  "data folder",
  "database",
  "knowledge base file",
  "answers",
  "document store",
  "original files",
  "queued adds",
  "embedding model",
  "audit log",
  "token file",
  "rules",
  "rights in scopes",
];

function nameOf(name: string, { t }: Terminal): string {
  const text = NAMES.find((each) => each === name);
  return text === undefined ? name : t(text);
}

function toJson({ name, state, detail, remedy }: Finding) {
  const remedies = [remedy ?? []].flat().map(toEnglish);
  const said = remedies.length > 0 && { remedy: remedies.join(" ") };
  return { name, state, detail: toEnglish(detail), ...said };
}

async function outcomeOf(run: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  try {
    return await run();
  } catch (error) {
    return { state: "fail", detail: messageOf(error) };
  }
}

export function databaseCheck({ operations }: Pick<OpenToolbox, "operations">): Check {
  return {
    name: "database",
    run: async () => {
      const finding = await operations.examine();
      if (!finding) return { state: "off", detail: toMessage("databaseElsewhere") };
      return describe(finding);
    },
  };
}

/** A right in a scope that does not exist gives nothing: the name is wrong, or the scope is yet to come. */
export function grantsCheck({ operations }: Pick<OpenToolbox, "operations">): Check {
  return {
    name: "rights in scopes",
    run: async () => {
      const { scopes, tokens, groups } = await operations.access();
      const known = new Set([EVERYWHERE, GENERAL_SCOPE, ...scopes.map(({ id }) => id)]);
      const given = [...tokens, ...groups].flatMap(({ name, rights }) =>
        rights.flatMap((text) => ({ name, scope: parseGrant(text)?.scope ?? text })),
      );
      const wrong = given.filter(({ scope }) => !known.has(scope));
      const inScopes = given.filter(({ scope }) => scope !== EVERYWHERE);
      if (wrong.length === 0)
        return { state: "ok", detail: toMessage("rightsKnown", inScopes.length) };
      const shown = wrong.slice(0, 5).map(({ name, scope }) => `${scope} (${name})`);
      return {
        state: "warn",
        detail: toMessage("rightsUnknown", shown.join(", ")),
        remedy: toMessage("rightsUnknownFix"),
      };
    },
  };
}

/** Used when the program could not even open the folder. */
export function toOutcome(failure: KnowledgeError): CheckOutcome {
  return describe({ kind: "unusable", code: failure.code, detail: messageOf(failure) });
}

const REPAIR = toMessage("repairFolder");

/** Remedies by error code; the messages of other errors already include what to do. */
const REMEDIES = new Map(
  Object.entries({
    STORE_TOO_NEW: toMessage("updateProgram"),
    STORE_CORRUPT: REPAIR,
    STORE_FULL: toMessage("freeSpace"),
  }),
);

function describe(finding: FolderFinding): CheckOutcome {
  const { kind, detail } = finding;
  switch (kind) {
    case "none":
    case "sound":
      return { state: "ok", detail };
    case "damaged":
      return { state: "fail", detail, remedy: REPAIR };
    case "lost":
      return {
        state: "fail",
        detail,
        remedy: toMessage("restoreDatabase"),
      };
    case "unusable": {
      const remedy = REMEDIES.get(finding.code);
      return { state: "fail", detail, ...defined({ remedy }) };
    }
  }
}
