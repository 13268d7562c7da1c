import type { ComponentChildren } from "preact";

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
