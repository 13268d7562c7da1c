// An answer's text: each [n] jumps to its source and highlights it while the pointer is over it.
import { useI18n } from "../../state/language.ts";
import { cardText, likelyWords } from "../results/passage-text.ts";
import { type Citation, sourceName } from "./source.tsx";

interface CitedTextProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly toId: (index: number) => string;
}

const MARK = /(\[\d{1,2}\])/;
const CARD_CHARS = 220;

export function CitedText({ text, citations, toId }: CitedTextProps) {
  const likely = citations
    .map(({ content, location }) => likelyWords(content, location))
    .filter((words) => words !== "");
  return (
    <p class="snippet answer-text">
      {text.split(MARK).map((part, at) => {
        const index = Number(part.slice(1, -1)) - 1;
        const citation = at % 2 === 1 ? citations[index] : undefined;
        const key = `${at}-${part}`;
        if (!citation) return <Emphasised key={key} text={part} likely={likely} />;
        return <Mark key={key} number={index + 1} citation={citation} target={toId(index)} />;
      })}
    </p>
  );
}

/** The words that answer are bold, where they occur first. */
function Emphasised({ text, likely }: { text: string; likely: readonly string[] }) {
  const words = likely.find((each) => text.includes(each));
  if (words === undefined) return <>{text}</>;
  const at = text.indexOf(words);
  return (
    <>
      {text.slice(0, at)}
      <strong>{words}</strong>
      {text.slice(at + words.length)}
    </>
  );
}

function Mark(props: { number: number; citation: Citation; target: string }) {
  const { t } = useI18n();
  const { number, citation, target } = props;
  const name = sourceName(citation, t);
  return (
    <span class="cite">
      <button
        type="button"
        class="link"
        aria-label={t("goToSource", number, name)}
        onClick={() => jumpTo(target)}
      >
        [{number}]
      </button>
      <span class="hover-card" aria-hidden="true">
        <strong>{name}</strong>
        <span>{shorten(cardText(citation.content, citation.location))}</span>
      </span>
    </span>
  );
}

function shorten(text: string): string {
  return text.length <= CARD_CHARS ? text : `${text.slice(0, CARD_CHARS).trim()}…`;
}

function jumpTo(id: string): void {
  const source = document.getElementById(id);
  source?.scrollIntoView({ block: "center" });
  source?.focus({ preventScroll: true });
}
