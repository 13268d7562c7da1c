import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useSpeech } from "../state/language.ts";
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
  const { say } = useSpeech();
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
          aria-label={say("askOrSearch")}
          aria-describedby="search-keys"
          placeholder={say("searchPlaceholder")}
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
            {say("ask")}
          </button>
        )}
      </form>
      <Keys asks={asks} />
    </search>
  );
}

function Keys({ asks }: Pick<SearchBarProps, "asks">) {
  const { say } = useSpeech();
  return (
    <p id="search-keys" class="keys muted small">
      <span>
        <kbd>/</kbd> <kbd>⌘K</kbd> {say("keyFocus")}
      </span>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {say("keyMove")}
      </span>
      {asks && (
        <span>
          <kbd>↵</kbd> {say("keyAsk")}
        </span>
      )}
      <span>
        <kbd>Esc</kbd> {say("keyClear")}
      </span>
    </p>
  );
}
