import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

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
