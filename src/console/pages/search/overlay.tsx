// Search on top of any page: type, choose with the arrow keys, press Enter to open.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { highlighterOf } from "../parts/highlighter.ts";
import { Icon } from "../parts/icon.tsx";
import { MarkedText } from "../parts/marked-text.tsx";
import { useI18n } from "../state/language.ts";
import { type Option, optionsOf } from "./overlay-options.ts";
import { placeName } from "./place.ts";
import { readRecent, rememberQuery } from "./recent.ts";
import { fromRoute } from "./search-query.ts";
import { useFound } from "./use-found.ts";

const LIST = "overlay-list";

export function SearchOverlay({ onClose }: { readonly onClose: () => void }) {
  const { t } = useI18n();
  const dialog = useRef<HTMLDialogElement>(null);
  const overlay = useOverlay(onClose);
  const { options, chosen } = overlay;
  // Before the next key, which is for this box.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const onClick = (event: MouseEvent) => {
    // A click whose target is the dialog itself was outside the box.
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      class="overlay"
      aria-label={t("search")}
      onClose={onClose}
      onClick={onClick}
    >
      <Box overlay={overlay} onClose={onClose} />
      <div class="overlay-list" id={LIST} role="listbox" aria-label={t("search")}>
        {options.map((option) => (
          <OptionRow
            key={option.id}
            option={option}
            query={overlay.query}
            isChosen={option === chosen}
            onPick={() => overlay.pick(option)}
          />
        ))}
      </div>
      <p class="overlay-note muted small" role="status">
        {overlay.isNothing ? t("noResults", overlay.query) : t("overlayKeys")}
      </p>
    </dialog>
  );
}

interface BoxProps {
  readonly overlay: ReturnType<typeof useOverlay>;
  readonly onClose: () => void;
}

function Box({ overlay, onClose }: BoxProps) {
  const { t } = useI18n();
  const { text, options, chosen } = overlay;
  return (
    <div class="overlay-box">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={t("askOrSearch")}
        aria-expanded={options.length > 0}
        aria-controls={LIST}
        aria-activedescendant={chosen?.id}
        placeholder={t("searchPlaceholder")}
        autocomplete="off"
        maxLength={500}
        value={text}
        onInput={(event) => overlay.type(event.currentTarget.value)}
        onCompositionStart={() => overlay.compose(true)}
        onCompositionEnd={() => overlay.compose(false)}
        onKeyDown={overlay.press}
      />
      <button type="button" class="quiet" onClick={onClose}>
        <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function useOverlay(onClose: () => void) {
  const [text, setText] = useState("");
  const [composing, setComposing] = useState(false);
  const [at, setAt] = useState(0);
  const [recent] = useState(readRecent);
  const found = useFound(fromRoute({ query: new URLSearchParams({ q: text }) }), composing);
  const query = text.trim();
  const options = optionsOf(query, found, recent);
  const chosen = options[Math.min(at, options.length - 1)];
  const type = (next: string) => {
    setText(next);
    setAt(0);
  };
  const pick = (option: Option | undefined) => {
    if (option?.kind === "recent") return type(option.query);
    if (option === undefined) return;
    rememberQuery(query);
    onClose();
    location.hash = option.href;
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((before) => (before + step + options.length) % options.length);
    else if (event.key === "Enter") pick(chosen);
    else return;
    event.preventDefault();
  };
  const isNothing = found.state === "found" && query !== "" && options.length === 1;
  return { text, query, options, chosen, isNothing, type, pick, press, compose: setComposing };
}

interface OptionRowProps {
  readonly option: Option;
  readonly query: string;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

function OptionRow({ option, query, isChosen, onPick }: OptionRowProps) {
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
  const isRecent = option.kind === "recent";
  return (
    <>
      <Icon name={isRecent ? "clock" : "search"} />{" "}
      <span>{isRecent ? option.query : t("allResults")}</span>
    </>
  );
}

type HitTextProps = Pick<OptionRowProps, "query"> & {
  readonly option: Extract<Option, { kind: "hit" }>;
};

function HitText({ option: { hit }, query }: HitTextProps) {
  const { t } = useI18n();
  const { page_num, slide_num, sheet, headings = [], title } = hit.metadata;
  const place = placeName({ page: page_num, slide: slide_num, sheet }, t);
  const where = [title ?? hit.filename, place, headings.join(" › ")].filter(Boolean).join(" · ");
  return (
    <>
      <Icon name="file" />
      <span class="overlay-hit">
        <span class="muted small">{where}</span>
        <span>
          <MarkedText text={oneLine(hit.chunk_text, query)} query={query} />
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
