// Thumbnails of all pages: they show the current page and lead to the others.
import { useEffect, useRef } from "preact/hooks";
import type { OriginalView } from "../../../../tools/documents/contract.ts";
import { useI18n } from "../../state/language.ts";
import { LazyRender } from "../lazy-render.tsx";
import { readPicture, useBlobUrl, useLoaded } from "./fetch-original.ts";

interface ThumbnailsProps {
  readonly id: string;
  readonly view: Extract<OriginalView, { readonly kind: "pages" }>;
  readonly page: number;
  /** Pages with a match. */
  readonly hits: ReadonlySet<number>;
  readonly onPage: (page: number) => void;
  readonly waits: boolean;
}

const HEIGHT = 100;

export function Thumbnails({ id, view, page, hits, onPage, waits }: ThumbnailsProps) {
  const { t } = useI18n();
  return (
    <nav class="thumbnails viewer-scroll" aria-label={t("pagesOfOriginal")}>
      {Array.from({ length: view.count }, (_, at) => at + 1).map((number) => (
        <Thumbnail
          key={number}
          name={t(view.unit, number)}
          // A slide's drawing is the same at any size, so it is fetched only once.
          path={`${id}/pages/${number}?size=${view.unit === "slide" ? "normal" : "small"}&v=${view.version}`}
          isCurrent={number === page}
          isHit={hits.has(number)}
          number={number}
          waits={waits}
          onClick={() => onPage(number)}
        />
      ))}
    </nav>
  );
}

interface ThumbnailProps {
  readonly name: string;
  readonly path: string;
  readonly number: number;
  readonly waits: boolean;
  readonly isCurrent: boolean;
  readonly isHit: boolean;
  readonly onClick: () => void;
}

function Thumbnail(props: ThumbnailProps) {
  const { name, path, number, waits, isCurrent, isHit, onClick } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <button
      ref={button}
      type="button"
      class={isHit ? "thumbnail hit" : "thumbnail"}
      aria-label={name}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onClick}
    >
      <LazyRender now={false} waits={waits} height={HEIGHT}>
        {() => <SmallPicture path={path} />}
      </LazyRender>
      <span>{number}</span>
    </button>
  );
}

function SmallPicture({ path }: { readonly path: string }) {
  const url = useBlobUrl(useLoaded(path, readPicture).value);
  return url === undefined ? <div class="thumbnail-empty" /> : <img src={url} alt="" />;
}
