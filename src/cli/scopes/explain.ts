// Shows where each rule of a scope comes from.
import type { Explanation } from "../../tools/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";

const EXCERPT = 72;

export function showExplanation(explanation: Explanation, terminal: Terminal): void {
  const { chain, categories, entries } = explanation;
  terminal.line(chain.map(({ id, tier }) => `${terminal.style("bold", id)} (${tier})`).join(" → "));
  for (const { name, tier, description } of categories) {
    terminal.line();
    terminal.line(`${terminal.style("cyan", name)} (${tier})  ${description}`);
    for (const { category, keyword, winner, overridden } of entries) {
      if (category !== name) continue;
      terminal.line(`  ${terminal.style("bold", keyword)}`);
      terminal.line(`    ✓ ${winner.scope} (${winner.tier}): ${excerpt(winner.content)}`);
      for (const { scope, tier: lost, content } of overridden) {
        terminal.line(terminal.style("dim", `    ✗ ${scope} (${lost}): ${excerpt(content)}`));
      }
    }
  }
}

function excerpt(content: string): string {
  const flat = content.replace(/\s+/g, " ");
  return flat.length > EXCERPT ? `${flat.slice(0, EXCERPT)}…` : flat;
}
