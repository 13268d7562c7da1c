import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FoldProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** What the summary shows when it is pointed at. */
  readonly title?: string;
  readonly children: () => ComponentChildren;
}

/** Its content is rendered when it is opened: a list that changes with every key should not render hidden parts. */
export function Fold({ summary, title, children, ...rest }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details {...rest} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={title}>{summary}</summary>
      {open && children()}
    </details>
  );
}
