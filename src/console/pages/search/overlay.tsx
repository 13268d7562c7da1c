// The palette on top of any page: type to search, ask, open a page or do something; Enter takes the chosen option.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { highlighterOf, MarkedText } from "../parts/marked-text.tsx";
import { Icon } from "../parts/parts.tsx";
import { rememberQuery, useKept } from "../state/kept.ts";
import { t } from "../state/language.ts";
import { useOffers } from "../state/offered-tools.ts";
import { navigate, onMoved } from "../state/route.ts";
import { type Option, optionsOf } from "./overlay-options.ts";
import { withoutMarkup } from "./passage-text.ts";
import { fromRoute } from "./search-query.ts";
import { useFound } from "./use-found.ts";

const LIST = "overlay-list";

interface OverlayProps {
  readonly commands: readonly Option[];
  readonly onClose: () => void;
}

export function SearchOverlay({ commands, onClose }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const overlay = useOverlay({ commands, onClose });
  useEffect(() => onMoved(onClose), [onClose]);
  const { options, chosen } = overlay;
  // Before the next key, which is for this box.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    // A click outside closes it, as Escape does.
    <dialog ref={dialog} class="overlay" aria-label={t("Search")} onClose={onClose} closedby="any">
      <Box overlay={overlay} onClose={onClose} />
      <div class="overlay-list" id={LIST} role="listbox" aria-label={t("Search")}>
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
        {overlay.isNothing
          ? t("Nothing found for “{0}”", overlay.query)
          : t("↑ ↓ to choose · Enter to open · Esc to close")}
      </p>
    </dialog>
  );
}

interface BoxProps {
  readonly overlay: ReturnType<typeof useOverlay>;
  readonly onClose: () => void;
}

function Box({ overlay, onClose }: BoxProps) {
  const { text, options, chosen } = overlay;
  return (
    <div class="overlay-box">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={t("Search or ask")}
        aria-expanded={options.length > 0}
        aria-controls={LIST}
        aria-activedescendant={chosen?.id}
        placeholder={t("Type a question or a few words")}
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

function useOverlay({ commands, onClose }: OverlayProps) {
  const [text, setText] = useState("");
  const [composing, setComposing] = useState(false);
  const [at, setAt] = useState(0);
  const kept = { recent: useKept("recent"), pinned: useKept("pinned") };
  const asks = useOffers("kb_answer");
  const found = useFound(fromRoute({ query: new URLSearchParams({ q: text }) }), composing);
  const query = text.trim();
  const options = optionsOf(query, found, { ...kept, commands, asks, t });
  const chosen = options[Math.min(at, options.length - 1)];
  const type = (next: string) => {
    setText(next);
    setAt(0);
  };
  const pick = (option: Option | undefined) => {
    if (option?.query !== undefined) return type(option.query);
    if (option === undefined) return;
    onClose();
    option.run?.();
    if (option.href === undefined) return;
    rememberQuery(query);
    navigate(option.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((before) => (before + step + options.length) % options.length);
    else if (event.key === "Enter") pick(chosen);
    else return;
    event.preventDefault();
  };
  const isNothing = found.state === "found" && query !== "" && !options.some(({ hit }) => hit);
  return { text, query, options, chosen, isNothing, type, pick, press, compose: setComposing };
}

interface OptionRowProps {
  readonly option: Option;
  readonly query: string;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

function OptionRow({ option, query, isChosen, onPick }: OptionRowProps) {
  const { id, icon, text, hit } = option;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box keeps the focus and handles the keys
    <div ref={row} id={id} role="option" aria-selected={isChosen} tabIndex={-1} onClick={onPick}>
      <Icon name={icon} />
      {hit ? (
        <span class="overlay-hit">
          <span class="muted small">{text}</span>
          <span>
            <MarkedText text={oneLine(hit.chunk_text, query)} query={query} />
          </span>
        </span>
      ) : (
        <span>{text}</span>
      )}
    </div>
  );
}

// How many characters are shown before the first match.
const BEFORE = 30;

/** Shows the text around the first match on one line, without Markdown, which means nothing there. */
function oneLine(text: string, query: string): string {
  const plain = withoutMarkup(text);
  const first = highlighterOf(query)(plain)[0]?.start ?? 0;
  const from = first <= BEFORE ? 0 : plain.lastIndexOf(" ", first - BEFORE) + 1;
  return (from > 0 ? "…" : "") + plain.slice(from, from + 160);
}
