// An SVG as a picture. Anything that could run or fetch is removed, and it is shown in an element where neither would work.
import { useI18n } from "../../state/language.ts";
import { cleanDrawing, useBlobUrl, useLoaded } from "./fetch-original.ts";

const asDrawing = async (response: Response) => cleanDrawing(await response.text());

export function Drawing({ id, name }: { readonly id: string; readonly name: string }) {
  const { t } = useI18n();
  const { value: blob, failed } = useLoaded(`${id}/drawing`, asDrawing);
  const url = useBlobUrl(blob);
  if (failed) return <p class="page-note muted">{t("pageFailed")}</p>;
  return (
    <div class="pages">
      <div class="page-sheet drawing">
        {url === undefined ? (
          <div class="page-note" aria-busy="true" />
        ) : (
          <img src={url} alt={t("drawingOf", name)} />
        )}
      </div>
    </div>
  );
}
