// Shown if there is nothing yet: what will be here, and the next step.
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string | undefined;
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
