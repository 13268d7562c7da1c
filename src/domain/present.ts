/** The fields that have a value: an optional property may be absent, but neither undefined nor null. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(entries) as Present<Fields>;
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined | null> };
