export function Progress({ value, label }: { value: number; label: string }) {
  return <progress max={1} value={value} aria-label={label} />;
}
