import { useEffect, useRef } from "preact/hooks";
import { Highlighted } from "../../parts/highlight/highlighted.tsx";
import { highlighterOf } from "../../parts/highlight/highlighter.ts";
import { Icon } from "../../parts/icon.tsx";
import { useI18n } from "../../state/language.ts";
import { placeName } from "../place.ts";
import type { Option } from "./options.ts";

interface OptionRowProps {
  readonly option: Option;
  readonly query: string;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

export function OptionRow({ option, query, isChosen, onPick }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box keeps the focus and handles the keys
    <div
      ref={row}
      id={option.id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={onPick}
    >
      {option.kind === "hit" ? (
        <HitText option={option} query={query} />
      ) : (
        <OtherText option={option} />
      )}
    </div>
  );
}

function OtherText({ option }: { readonly option: Exclude<Option, { kind: "hit" }> }) {
  const { t } = useI18n();
  return option.kind === "recent" ? (
    <>
      <Icon name="clock" /> <span>{option.query}</span>
    </>
  ) : (
    <>
      <Icon name="search" /> <span>{t("allResults")}</span>
    </>
  );
}

type HitTextProps = Pick<OptionRowProps, "query"> & {
  readonly option: Extract<Option, { kind: "hit" }>;
};

function HitText({ option: { hit }, query }: HitTextProps) {
  const { t } = useI18n();
  const { page_num, slide_num, sheet, headings = [], title } = hit.metadata;
  const place = placeName(
    {
      ...(page_num !== undefined && { page: page_num }),
      ...(slide_num !== undefined && { slide: slide_num }),
      ...(sheet !== undefined && { sheet }),
    },
    t,
  );
  const where = [title ?? hit.filename, place, headings.join(" › ")].filter(Boolean).join(" · ");
  return (
    <>
      <Icon name="file" />
      <span class="overlay-hit">
        <span class="muted small">{where}</span>
        <span>
          <Highlighted text={oneLine(hit.chunk_text, query)} query={query} />
        </span>
      </span>
    </>
  );
}

// How many characters are shown before the first match.
const BEFORE = 30;

/** Shows the text around the first match on one line, without Markdown, which means nothing there. */
function oneLine(text: string, query: string): string {
  const plain = text
    .replace(/^[#>|\s-]+|[|*`_]+/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
  const first = highlighterOf(query)(plain)[0]?.start ?? 0;
  const from = first <= BEFORE ? 0 : plain.lastIndexOf(" ", first - BEFORE) + 1;
  return (from > 0 ? "…" : "") + plain.slice(from, from + 160);
}
