import type { SearchResult } from "../../../../tools/documents/contract.ts";
import { Collapsible } from "../../parts/collapsible.tsx";
import { useI18n } from "../../state/language.ts";
import { reasonsOf } from "./reasons.ts";

const MEANING = { near: "meaningNear", related: "meaningRelated", far: "meaningFar" } as const;
const STRENGTH = { strong: "strong", fair: "fair", weak: "weak" } as const;

/** Shows the strength as one word; a click opens the reasons. */
export function Strength({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const badge = <span class={`badge ${hit.strength}`}>{t(STRENGTH[hit.strength])}</span>;
  return (
    <Collapsible class="strength" summary={badge} title={t("whyScore")}>
      {() => <Reasons hit={hit} query={query} />}
    </Collapsible>
  );
}

function Reasons({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const { words, missing, inName, meaning } = reasonsOf(hit, query);
  const list = (found: readonly string[]) => found.map((word) => t("quoted", word)).join(" ");
  return (
    <ul>
      <li>{words.length > 0 ? t("reasonWords", list(words)) : t("reasonNoWords")}</li>
      {words.length > 0 && missing.length > 0 && <li>{t("reasonMissing", list(missing))}</li>}
      {inName.length > 0 && <li>{t("reasonName", list(inName))}</li>}
      {meaning && <li>{t(MEANING[meaning])}</li>}
      <li class="muted">{t("score", Math.round(hit.relevance_score * 100))}</li>
    </ul>
  );
}
