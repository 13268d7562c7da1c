import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

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
