/** The given fields without those that are undefined: an optional property may be absent, but not undefined. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const some = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as Defined<Fields>;
}

type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};
