import type { SearchResult } from "../../../../tools/documents/contract.ts";
import { Collapsible } from "../../parts/collapsible.tsx";
import { useSpeech } from "../../state/language.ts";
import { reasonsOf } from "./reasons.ts";

const MEANING = { near: "meaningNear", related: "meaningRelated", far: "meaningFar" } as const;
const STRENGTH = { strong: "strong", fair: "fair", weak: "weak" } as const;

/** Shows the strength as one word; a click opens the reasons. */
export function Strength({ hit, query }: { hit: SearchResult; query: string }) {
  const { say } = useSpeech();
  const badge = <span class={`badge ${hit.strength}`}>{say(STRENGTH[hit.strength])}</span>;
  return (
    <Collapsible class="strength" summary={badge} title={say("whyScore")}>
      {() => <Reasons hit={hit} query={query} />}
    </Collapsible>
  );
}

function Reasons({ hit, query }: { hit: SearchResult; query: string }) {
  const { say } = useSpeech();
  const { words, missing, inName, meaning } = reasonsOf(hit, query);
  const list = (found: readonly string[]) => found.map((word) => say("quoted", word)).join(" ");
  return (
    <ul>
      <li>{words.length > 0 ? say("reasonWords", list(words)) : say("reasonNoWords")}</li>
      {words.length > 0 && missing.length > 0 && <li>{say("reasonMissing", list(missing))}</li>}
      {inName.length > 0 && <li>{say("reasonName", list(inName))}</li>}
      {meaning && <li>{say(MEANING[meaning])}</li>}
      <li class="muted">{say("score", Math.round(hit.relevance_score * 100))}</li>
    </ul>
  );
}
