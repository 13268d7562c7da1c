// What a document's original does not show to people, with its place.
import type { HiddenKind } from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { placeName } from "../search/place.ts";
import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import type { MessageKey } from "../state/translations.ts";
import { useLive } from "../state/use-live.ts";

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

const MAX_CHARS = 50_000;

/** Asked for by name: what agents read of a document never has it. */
export function HiddenTexts({ id }: { readonly id: string }) {
  const { t } = useI18n();
  const { data } = useLive(
    (signal) =>
      call(
        "knowledge-read",
        { document_id: id, include_hidden: true, max_chars: MAX_CHARS },
        signal,
      ),
    0,
    [id],
  );
  const hidden = data && "hidden" in data ? (data.hidden ?? []) : [];
  if (hidden.length === 0) return null;
  return (
    <details class="viewer-warnings">
      <summary>
        <Icon name="warning" /> {t("hiddenTexts", hidden.length)}
      </summary>
      <p>{t("hiddenAbout")}</p>
      <ul>
        {hidden.map(({ kind, text, page_num: page, slide_num: slide, sheet }) => (
          <li key={JSON.stringify([kind, page, slide, sheet])}>
            {placeName({ page, slide, sheet }, t) || t("wholeDocument")} · {t(KINDS[kind])}
            <blockquote class="viewer-hidden">{text}</blockquote>
          </li>
        ))}
      </ul>
    </details>
  );
}
