// Rendered Markdown with the query's words and cited spans marked. The source is a toggle away, and is shown until the
// renderer is loaded.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Format } from "../../../domain/document.ts";
import { isConvertedText } from "../../../domain/format-name.ts";
import { useKept } from "../state/kept.ts";
import { languageNow, t } from "../state/language.ts";
import type { Engine, SourceSpan } from "./markdown/engine.ts";
import { MarkedText } from "./marked-text.tsx";
import "./markdown/markdown.css";

export interface MarkdownProps {
  readonly text: string;
  /** The query's words are marked. */
  readonly query?: string;
  /** These spans are marked too; they count from the document's start (see `offset`). */
  readonly spans?: readonly SourceSpan[];
  /** Where the text begins in its document. */
  readonly offset?: number;
  /** The format of the document that the text comes from; undefined for texts that people write as Markdown. */
  readonly format?: string | undefined;
  /** The document's name, if the format alone does not say how its text is written. */
  readonly filename?: string | undefined;
  /** The language of source code without a file name. */
  readonly language?: string;
  /** The level of the highest heading; defaults to 3. */
  readonly level?: number;
}

const AUTHORED: ReadonlySet<string> = new Set<Format>(["md", "ipynb"]);
const NO_SPANS: readonly SourceSpan[] = [];

export function Markdown(props: MarkdownProps) {
  const { text, query = "", spans, offset } = props;
  const showsSource = useKept("showsSource");
  const isPlain = props.format === "txt" && !isConvertedText(props.filename ?? "");
  const engine = useEngine(!showsSource && !isPlain);
  if (engine && !showsSource && !isPlain) return <Rendered {...props} engine={engine} />;
  return (
    <div class={isPlain ? "md-plain" : "md-source"}>
      <MarkedText {...{ text, query, spans, offset }} />
    </div>
  );
}

/** Once the engine has been loaded, the import settles before the browser paints. */
function useEngine(wanted: boolean): Engine | undefined {
  const [engine, setEngine] = useState<Engine>();
  useLayoutEffect(() => {
    if (!wanted) return;
    let left = false;
    void import("./markdown/engine.ts").then(({ openEngine }) => {
      if (!left) setEngine((known) => known ?? openEngine());
    });
    return () => {
      left = true;
    };
  }, [wanted]);
  return engine;
}

function Rendered({ engine, ...props }: MarkdownProps & { readonly engine: Engine }) {
  const element = useRef<HTMLDivElement>(null);
  const { text, query = "", spans = NO_SPANS, offset = 0, format, language, level } = props;
  useLayoutEffect(() => {
    const content = engine.render({
      text,
      query,
      spans,
      offset,
      authored: format === undefined || AUTHORED.has(format),
      level: level ?? 3,
      tableName: t("Table"),
      ...(language === undefined ? {} : { language }),
    });
    element.current?.replaceChildren(content);
  }, [engine, text, query, spans, offset, format, language, level, languageNow()]);
  return <div class="md" ref={element} />;
}
