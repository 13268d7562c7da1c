// What is shown instead of content: a problem, or what will be here and the next step.
import type { ComponentChildren } from "preact";
import { useI18n } from "../state/language.ts";
import { toPath } from "../state/route.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Read aloud when it appears; nothing while there is no problem. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}

export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <section class="card empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  );
}

interface FailedProps {
  readonly reason: string;
  /** Left out where trying again cannot help. */
  readonly onRetry?: (() => void) | undefined;
}

/** Instead of what could not be loaded. */
export function Failed({ reason, onRetry }: FailedProps) {
  const { t } = useI18n();
  return (
    <section class="card empty" role="alert">
      <Icon name="warning" />
      <p>{reason}</p>
      {onRetry && <Button class="outline" icon="again" text={t("tryAgain")} onClick={onRetry} />}
    </section>
  );
}

/** Shown while there are no documents; leads to adding the first one. */
export function NoDocuments() {
  const { t } = useI18n();
  return (
    <Empty icon="upload" title={t("emptyTitle")} text={t("emptyHint")}>
      <a class="button" href={toPath("documents")}>
        {t("goDocuments")}
      </a>
    </Empty>
  );
}
