import { useI18n } from "../state/language.ts";
import { toHash } from "../state/route.ts";
import { Empty } from "./empty.tsx";

/** Shown while there are no documents; leads to adding the first one. */
export function NoDocuments() {
  const { t } = useI18n();
  return (
    <Empty icon="upload" title={t("emptyTitle")} text={t("emptyHint")}>
      <a class="button" href={toHash("documents")}>
        {t("goDocuments")}
      </a>
    </Empty>
  );
}
