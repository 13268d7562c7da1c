import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FoldProps {
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
export function Fold({ summary, title, children, ...rest }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details {...rest} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={title}>{summary}</summary>
      {open && children()}
    </details>
  );
}
