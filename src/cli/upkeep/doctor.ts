import { EVERYWHERE, GENERAL_SCOPE, parseGrant } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import type { Check, CheckOutcome } from "../../tools/family.ts";
import type { FolderFinding } from "../../tools/operations.ts";
import { command, type OpenToolbox } from "../command.ts";
import type { Terminal } from "../terminal/terminal.ts";
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
        terminal.t("Checking {0}", check.name),
        outcomeOf(() => check.run(signal)),
      );
      findings.push({ name: check.name, ...(await outcome) });
    }
    terminal.result(findings, () => {
      for (const finding of findings) show(finding, terminal);
    });
    return findings.some(({ state }) => state === "fail") ? 1 : 0;
  },
});

function show({ name, state, detail, remedy }: Finding, terminal: Terminal): void {
  terminal.line(`${terminal.style(STYLES[state], MARKS[state])} ${name}: ${detail}`);
  if (remedy !== undefined) terminal.line(`  → ${remedy}`);
}

async function outcomeOf(run: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  try {
    return await run();
  } catch (error) {
    return { state: "fail", detail: error instanceof Error ? error.message : "the check failed" };
  }
}

export function databaseCheck({ operations }: Pick<OpenToolbox, "operations">): Check {
  return {
    name: "database",
    run: async () => {
      const finding = await operations.examine();
      if (!finding) return { state: "off", detail: "the knowledge base is in PostgreSQL" };
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
      if (wrong.length === 0) return { state: "ok", detail: count(given.length, "right") };
      const shown = wrong.slice(0, 5).map(({ name, scope }) => `${scope} (${name})`);
      return {
        state: "warn",
        detail: `these scopes do not exist: ${shown.join(", ")}`,
        remedy: "Correct them in the token file, or create the scopes.",
      };
    },
  };
}

/** Used when the program could not even open the folder. */
export function toOutcome({
  code,
  message,
}: Pick<KnowledgeError, "code" | "message">): CheckOutcome {
  return describe({ kind: "unusable", code, detail: message });
}

const REPAIR = "Stop every server on this data folder, then run `knowledge-server repair`.";

/** Remedies by error code; the messages of other errors already include what to do. */
const REMEDIES = new Map(
  Object.entries({
    STORE_TOO_NEW: "Update knowledge-server to the version that wrote this folder.",
    STORE_CORRUPT: REPAIR,
    STORE_FULL: "Free some space on the data folder's disk.",
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
        remedy:
          "Put knowledge.db back, or restore a backup into another folder. `knowledge-server repair --force` builds a new one from the original files, without names and metadata.",
      };
    case "unusable": {
      const remedy = REMEDIES.get(finding.code);
      return { state: "fail", detail, ...defined({ remedy }) };
    }
  }
}
