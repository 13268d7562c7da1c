// An SVG as a picture: cleaned of what could run or fetch, and shown where neither works.
import { useEffect, useState } from "preact/hooks";
import { useSpeech } from "../../state/language.ts";
import { useBlobUrl, useLoaded } from "./fetch-original.ts";

const asText = (response: Response) => response.text();

export function Drawing({ id, name }: { readonly id: string; readonly name: string }) {
  const { say } = useSpeech();
  const { value: source, failed } = useLoaded(`${id}/drawing`, asText);
  const [blob, setBlob] = useState<Blob>();
  useEffect(() => {
    if (source === undefined) return;
    void import("../../parts/markdown/engine.ts").then(({ openEngine }) => {
      setBlob(new Blob([openEngine().cleanSvg(source)], { type: "image/svg+xml" }));
    });
  }, [source]);
  const url = useBlobUrl(blob);
  if (failed) return <p class="page-note muted">{say("pageFailed")}</p>;
  return (
    <div class="pages">
      <div class="page-sheet drawing">
        {url === undefined ? (
          <div class="page-note" aria-busy="true" />
        ) : (
          <img src={url} alt={say("drawingOf", name)} />
        )}
      </div>
    </div>
  );
}
