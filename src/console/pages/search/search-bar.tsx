import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";
import { SEARCH_BOX } from "../state/search-keys.ts";

interface SearchBarProps {
  readonly text: string;
  /** Whether this server also answers questions. */
  readonly asks: boolean;
  readonly onText: (text: string) => void;
  readonly onComposing: (composing: boolean) => void;
  readonly onSubmit: () => void;
}

export function SearchBar({ text, asks, onText, onComposing, onSubmit }: SearchBarProps) {
  const { t } = useI18n();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <search>
      <form class="searchbar" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={box}
          id={SEARCH_BOX}
          type="search"
          aria-label={t("askOrSearch")}
          aria-describedby="search-keys"
          placeholder={t("searchPlaceholder")}
          autocomplete="off"
          enterkeyhint="search"
          maxLength={500}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onCompositionStart={() => onComposing(true)}
          onCompositionEnd={() => onComposing(false)}
        />
        {asks && (
          <button type="submit">
            <Icon name="spark" />
            {t("ask")}
          </button>
        )}
      </form>
      <Keys asks={asks} />
    </search>
  );
}

function Keys({ asks }: Pick<SearchBarProps, "asks">) {
  const { t } = useI18n();
  return (
    <p id="search-keys" class="keys muted small">
      <span>
        <kbd>/</kbd> <kbd>⌘K</kbd> {t("keyFocus")}
      </span>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t("keyMove")}
      </span>
      {asks && (
        <span>
          <kbd>↵</kbd> {t("keyAsk")}
        </span>
      )}
      <span>
        <kbd>Esc</kbd> {t("keyClear")}
      </span>
    </p>
  );
}
