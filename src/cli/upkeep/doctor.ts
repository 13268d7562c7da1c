import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { CheckOutcome } from "../../tools/family.ts";
import type { Command } from "../command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { databaseCheck, toOutcome } from "./database-check.ts";
import { hostChecks } from "./host-checks.ts";

const MARKS = { ok: "✓", warn: "!", fail: "✗", off: "·" } as const;
const STYLES = { ok: "green", warn: "yellow", fail: "red", off: "dim" } as const;

interface Finding extends CheckOutcome {
  readonly name: string;
}

export const doctor: Command = {
  name: "doctor",
  effect: "read",
  summary: "Check the installation and show how to fix problems",
  usage: "doctor",
  options: {},
  examples: [
    { line: "knowledge-server doctor", does: "check everything a server needs" },
    { line: "knowledge-server doctor --json", does: "the same as JSON, for scripts" },
  ],
  async run({ openApp, terminal, signal, config, about }) {
    const opened = await openApp().catch(toKnowledgeError);
    const rooms =
      opened instanceof KnowledgeError
        ? [{ name: "database", run: async () => toOutcome(opened) }]
        : [databaseCheck(opened), ...opened.checks];
    const checks = [...hostChecks({ ...about, dataDir: config.dataDir }), ...rooms];
    const findings: Finding[] = [];
    for (const check of checks) {
      const outcome = terminal.during(
        `Checking ${check.name}`,
        outcomeOf(() => check.run(signal)),
      );
      findings.push({ name: check.name, ...(await outcome) });
    }
    if (terminal.asJson) terminal.json(findings);
    else for (const finding of findings) show(finding, terminal);
    return findings.some(({ state }) => state === "fail") ? 1 : 0;
  },
};

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
