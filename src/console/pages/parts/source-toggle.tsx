import { useI18n } from "../state/language.ts";
import { useShowSource } from "../state/show-source.ts";

export function SourceToggle() {
  const { t } = useI18n();
  const [shown, show] = useShowSource();
  return (
    <button type="button" class="quiet" aria-pressed={shown} onClick={() => show(!shown)}>
      {t("showSource")}
    </button>
  );
}
