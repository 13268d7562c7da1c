// The small parts of every page: icons, buttons, cards, folds, figures, dates, and what is shown instead of content.

import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { ago, explain, formatDate, t } from "../state/language.ts";
import { failureOf } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import { isGone } from "../state/texts.ts";

// Outline icons on a 24 × 24 grid with one line width.

const PATHS = {
  gauge: "M4 18a8 8 0 1 1 16 0M12 18l4-6",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  tree: "M12 4v6M6 20v-5h12v5M12 10v5M9.500 4h5M4 20h4M16 20h4",
  plug: "M9 3v5M15 3v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5",
  key: "M8 12a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 13l9-9M16 8l3 3M13.500 10.500l2 2",
  globe: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5",
  contrast: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18",
  out: "M14 4H6v16h8M10 12h10M17 9l3 3-3 3",
  upload: "M12 16V5M7 9l5-5 5 5M5 19h14",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  down: "M12 4v11M7 11l5 5 5-5M5 20h14",
  pen: "M5 19l1-4L16 5l3 3L9 18z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  warning: "M12 4 2.500 20h19zM12 10v4.500M12 17.500h.01",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5l3.500 2",
  again: "M20 12a8 8 0 1 1-2.500-5.800M20 3v4.500h-4.500",
  folder: "M3 6h6l2 2.500h10V19H3z",
  spark: "M12 3l2 6.500 6.500 2.500-6.500 2.500-2 6.500-2-6.500L3.500 12 10 9.500z",
  chevron: "M9 5l7 7-7 7",
  link: "M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 6 6l1-1",
  sliders: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v8",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
  filter: "M4 6h16M7 12h10M10 18h4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface ButtonProps extends Omit<ComponentProps<"button">, "type" | "icon"> {
  readonly icon?: IconName;
  readonly text?: string;
}

/** A button that submits no form. */
export function Button({ icon, text, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest}>
      {icon && <Icon name={icon} />}
      {text}
      {children}
    </button>
  );
}

interface CardProps {
  readonly title: string;
  /** Beside the title. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a page. */
export function Card({ title, more, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="row between">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}

interface CollapsibleProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** The summary's tooltip. */
  readonly title?: string;
  readonly children: () => ComponentChildren;
}

/**
 * The content is rendered only when opened, because a list that changes with every key should not
 * render hidden parts.
 */
export function Collapsible({ summary, title, children, ...rest }: CollapsibleProps) {
  const [open, setOpen] = useState(false);
  return (
    <details {...rest} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={title}>{summary}</summary>
      {open && children()}
    </details>
  );
}

interface TilesProps {
  readonly class?: "tiles" | "facts";
  readonly tiles: readonly (readonly [label: string, value: ComponentChildren])[];
}

/** A few figures side by side. */
export function Tiles({ tiles, class: look = "tiles" }: TilesProps) {
  return (
    <dl class={look}>
      {tiles.map(([label, value]) => (
        <div key={label} class={look === "tiles" ? "tile" : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const EVERY_MS = 30_000;

export function RelativeDate({ iso }: { iso: string | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (!iso) return null;
  return (
    <time dateTime={iso} title={formatDate(iso)}>
      {ago(Date.parse(iso), Math.max(now, Date.now()))}
    </time>
  );
}

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
  readonly thrown: unknown;
  readonly onRetry: () => void;
}

/** Instead of what could not be loaded. */
export function Failed({ thrown, onRetry }: FailedProps) {
  return (
    <section class="card empty" role="alert">
      <Icon name="warning" />
      <p>{explain(thrown)}</p>
      {!isGone(failureOf(thrown)) && (
        <Button class="outline" icon="again" text={t("Try again")} onClick={onRetry} />
      )}
    </section>
  );
}

/** Shown while there are no documents; leads to adding the first one. */
export function NoDocuments() {
  return (
    <Empty
      icon="upload"
      title={t("The knowledge base is empty")}
      text={t("Drop files on the Documents page, or let an agent call knowledge-add.")}
    >
      <a class="button" href={toPath("documents")}>
        {t("Add documents")}
      </a>
    </Empty>
  );
}
