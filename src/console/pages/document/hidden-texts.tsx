// What a document's original does not show to people, with its place.
import type { HiddenKind, HiddenText } from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { placeName } from "../search/place.ts";
import { useI18n } from "../state/language.ts";
import type { MessageKey } from "../state/translations.ts";

const KINDS: Readonly<Record<HiddenKind, MessageKey>> = {
  hidden: "hiddenByFormat",
  "same-colour": "hiddenByColour",
  "too-small": "hiddenBySize",
  transparent: "hiddenByTransparency",
  covered: "hiddenByCover",
  "off-page": "hiddenOffPage",
  characters: "hiddenInCharacters",
  comment: "hiddenInComment",
  metadata: "hiddenInMetadata",
};

export function HiddenTexts({ hidden }: { readonly hidden: readonly HiddenText[] }) {
  const { t } = useI18n();
  return (
    <details class="viewer-warnings">
      <summary>
        <Icon name="warning" /> {t("hiddenTexts", hidden.length)}
      </summary>
      <p>{t("hiddenAbout")}</p>
      <ul>
        {hidden.map(({ place, kind, text }) => (
          <li key={`${JSON.stringify(place)} ${kind}`}>
            {placeName(place, t) || t("wholeDocument")} · {t(KINDS[kind])}
            <blockquote class="viewer-hidden">{text}</blockquote>
          </li>
        ))}
      </ul>
    </details>
  );
}
