import { Icon } from "./parts/icon.tsx";
import { useI18n } from "./state/language.ts";
import { toHash } from "./state/route.ts";

/** Shown for an address that names no page, or a page that this server does not offer. */
export function NotFound() {
  const { t } = useI18n();
  return (
    <section class="card empty">
      <Icon name="search" />
      <h1>{t("notFound")}</h1>
      <p>{t("notFoundText", location.hash)}</p>
      <a class="button" href={toHash("")}>
        {t("goHome")}
      </a>
    </section>
  );
}
