import type { ComponentChildren } from "preact";

interface TilesProps {
  readonly tiles: readonly (readonly [label: string, value: ComponentChildren])[];
}

/** A few figures side by side. */
export function Tiles({ tiles }: TilesProps) {
  return (
    <dl class="tiles">
      {tiles.map(([label, value]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
