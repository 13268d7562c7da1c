// One page as it was printed, with the cited place and the query's words marked on it; and thumbnails of all pages. A
// plain <img> would not carry the token, so pictures come as blobs.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Box, boxesOfQuery, boxesOfText } from "../../../text/page-boxes.ts";
import type { OriginalView, PageWord } from "../../../tools/documents/contract.ts";
import { t } from "../state/language.ts";
import { authHeaders } from "../state/mcp.ts";
import { LazyRender } from "./scrolling.tsx";

export type Pages = Extract<OriginalView, { readonly kind: "pages" }>;

// The server paints one page at a time and refuses requests while too many are waiting.
const TRIES = 4;

async function fetchOriginal(path: string, signal: AbortSignal): Promise<Response> {
  for (let left = TRIES; ; left -= 1) {
    const response = await fetch(`/api/documents/${path}`, { headers: authHeaders(), signal });
    if (response.ok) return response;
    if (response.status !== 503 || left <= 1) throw new Error(String(response.status));
    const seconds = Number(response.headers.get("retry-after") ?? 2);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

interface Loaded<T> {
  readonly value?: T;
  readonly failed?: true;
}

/** Loads while there is a path; the last value stays until the next is loaded. */
export function useLoaded<T>(
  path: string | undefined,
  read: (response: Response) => Promise<T>,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    const show = (next: Loaded<T>) => {
      if (!abort.signal.aborted) setLoaded(next);
    };
    fetchOriginal(path, abort.signal)
      .then(read)
      .then(
        (value) => show({ value }),
        () => show({ failed: true }),
      );
    return () => abort.abort();
  }, [path]);
  return loaded;
}

const DRAWING = "image/svg+xml";

/** Reads a page's picture; in a drawing, anything that could run or fetch is removed. */
async function readPicture(response: Response): Promise<Blob> {
  if (response.status === 204) throw new Error("no picture");
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith(DRAWING) ? cleanDrawing(await response.text()) : response.blob();
}

export async function cleanDrawing(source: string): Promise<Blob> {
  const { openEngine } = await import("../parts/markdown/engine.ts");
  return new Blob([openEngine().cleanSvg(source)], { type: DRAWING });
}

/** The picture's address is valid while the component is mounted. */
export function usePicture(path: string, read = readPicture) {
  const { value: blob, failed } = useLoaded(path, read);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return { url, failed };
}

interface PageImageProps {
  readonly id: string;
  readonly original: Pages;
  readonly page: number;
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
  readonly otherwise: ComponentChildren;
}

export function PageImage(props: PageImageProps) {
  const { id, page, size } = props;
  const { version, unit, count } = props.original;
  const { url, failed } = usePicture(`${id}/pages/${page}?size=${size}&v=${version}`);
  if (failed) return props.otherwise;
  // A page that had no height for a moment, until its picture is decoded, would scroll the others away.
  const style = { aspectRatio: `auto 1 / ${props.ratio}` };
  if (url === undefined) return <div class="page-empty" aria-busy="true" style={style} />;
  return (
    <>
      <img
        src={url}
        style={style}
        alt={t(
          unit === "slide"
            ? "Slide {0} of {1}, drawn from the original"
            : "Page {0} of {1}, as in the original",
          page,
          count,
        )}
        onLoad={({ currentTarget }) =>
          props.onRatio(currentTarget.naturalHeight / currentTarget.naturalWidth)
        }
      />
      <Marks {...props} />
    </>
  );
}

const asWords = async (response: Response): Promise<readonly PageWord[]> =>
  (await response.json()).words;

function Marks({ id, original, page, cited, query, hasWords }: PageImageProps) {
  const { version, unit } = original;
  const isWanted = cited !== undefined || (query !== "" && hasWords);
  const path = isWanted ? `${id}/pages/${page}/words?v=${version}` : undefined;
  const { value: words = [] } = useLoaded(path, asWords);
  const boxes = useMemo(
    () => [
      ...boxesOfText(words, cited ?? "").map((box) => ({ box, kind: "cited" })),
      ...boxesOfQuery(words, query).map((box) => ({ box, kind: "found" })),
    ],
    [words, cited, query],
  );
  return (
    <div class={unit === "slide" ? "page-marks on-slide" : "page-marks"} aria-hidden="true">
      {boxes.map(({ box, kind }) => (
        <div
          key={`${kind}/${box.x}/${box.y}/${box.width}`}
          class={`box ${kind}`}
          style={styleOf(box)}
        />
      ))}
    </div>
  );
}

interface ThumbnailsProps {
  readonly id: string;
  readonly view: Pages;
  readonly page: number;
  /** Pages with a match. */
  readonly hits: ReadonlySet<number>;
  readonly onPage: (page: number) => void;
  readonly waits: boolean;
}

const HEIGHT = 100;

/** They show the current page and lead to the others. */
export function Thumbnails({ view, ...props }: ThumbnailsProps) {
  return (
    <nav class="thumbnails viewer-scroll" aria-label={t("Pages of the original")}>
      {Array.from({ length: view.count }, (_, at) => (
        <Thumbnail key={at} {...props} view={view} number={at + 1} />
      ))}
    </nav>
  );
}

function Thumbnail(props: ThumbnailsProps & { readonly number: number }) {
  const { id, view, page, hits, onPage, waits, number } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isCurrent = number === page;
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  // A slide's drawing is the same at any size, so it is fetched only once.
  const size = view.unit === "slide" ? "normal" : "small";
  return (
    <button
      ref={button}
      type="button"
      class={hits.has(number) ? "thumbnail hit" : "thumbnail"}
      aria-label={t(view.unit === "slide" ? "Slide {0}" : "Page {0}", number)}
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onPage(number)}
    >
      <LazyRender waits={waits} height={HEIGHT}>
        {() => <SmallPicture path={`${id}/pages/${number}?size=${size}&v=${view.version}`} />}
      </LazyRender>
      <span>{number}</span>
    </button>
  );
}

function SmallPicture({ path }: { readonly path: string }) {
  const { url } = usePicture(path);
  return url === undefined ? <div class="thumbnail-empty" /> : <img src={url} alt="" />;
}

/** CSS for an element that is placed on the page's picture. */
function styleOf({ x, y, width, height }: Box) {
  const percent = (part: number) => `${part / 100}%`;
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}
