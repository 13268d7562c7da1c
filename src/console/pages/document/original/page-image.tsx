// One page as it was printed, with the cited place and the query's words marked on it.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { PageWord } from "../../../../tools/documents/contract.ts";
import { useI18n } from "../../state/language.ts";
import { type Box, styleOf } from "./boxes.ts";
import { readPicture, useBlobUrl, useLoaded } from "./fetch-original.ts";
import { boxesOfQuery, boxesOfText } from "./find-boxes.ts";

export interface PageImageProps {
  readonly id: string;
  readonly version: string;
  readonly page: number;
  readonly count: number;
  readonly unit: "page" | "slide";
  readonly size: "normal" | "large";
  /** The part of the cited text that is on this page. */
  readonly cited: string | undefined;
  readonly query: string;
  /** The page's words are known without OCR. */
  readonly hasWords: boolean;
  /** The ratio of height to width, used until the picture is loaded. */
  readonly ratio: number;
  readonly onRatio: (ratio: number) => void;
  /** Shown if the page has no picture. */
  readonly otherwise: (page: number) => ComponentChildren | undefined;
}

const asWords = async (response: Response): Promise<readonly PageWord[]> =>
  (await response.json()).words;

export function PageImage(props: PageImageProps) {
  const { t } = useI18n();
  const { id, version, page, count, size } = props;
  const path = `${id}/pages/${page}`;
  const { value: blob, failed } = useLoaded(`${path}?size=${size}&v=${version}`, readPicture);
  const url = useBlobUrl(blob);
  if (failed) return props.otherwise(page) ?? <p class="page-note muted">{t("pageFailed")}</p>;
  return (
    <>
      {url === undefined ? (
        <div class="page-empty" aria-busy="true" style={{ aspectRatio: `1 / ${props.ratio}` }} />
      ) : (
        <img
          src={url}
          alt={t(props.unit === "slide" ? "slideImage" : "pageImage", page, count)}
          onLoad={({ currentTarget }) =>
            props.onRatio(currentTarget.naturalHeight / currentTarget.naturalWidth)
          }
        />
      )}
      {url !== undefined && <Marks {...props} path={path} />}
    </>
  );
}

function Marks(props: PageImageProps & { path: string }) {
  const { path, cited, query, hasWords, version, unit } = props;
  const isWanted = cited !== undefined || (query !== "" && hasWords);
  const { value: words = [] } = useLoaded(
    isWanted ? `${path}/words?v=${version}` : undefined,
    asWords,
  );
  const found = useMemo(() => boxesOfQuery(words, query), [words, query]);
  const marked = useMemo(
    () => (cited === undefined ? [] : boxesOfText(words, cited)),
    [words, cited],
  );
  return (
    <div class={unit === "slide" ? "page-marks on-slide" : "page-marks"} aria-hidden="true">
      {marked.map((box) => (
        <div key={keyOf(box)} class="box cited" style={styleOf(box)} />
      ))}
      {found.map((box) => (
        <div key={keyOf(box)} class="box found" style={styleOf(box)} />
      ))}
    </div>
  );
}

const keyOf = ({ x, y, width }: Box) => `${x}/${y}/${width}`;
