// Parts of the tools' shapes, with messages that say what a value must be.
import * as z from "zod";
import { metadataProblem } from "../domain/metadata.ts";

/** A length that no model reaches: `refine` keeps it out of the listed schema. */
export function text(most: number, given = z.string()) {
  return given.refine(({ length }) => length <= most, `must have at most ${most} characters`);
}

/** Without the space around it. */
export function trimmed(most: number) {
  return text(most, z.string().trim());
}

export function required<Text extends z.ZodString>(schema: Text): Text {
  return schema.min(1, "must not be empty");
}

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
}

/** A free-form object: its depth, width and size are checked before `schema` looks inside. */
export function bounded<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, { issues }) => {
    const message = metadataProblem(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value });
    return value;
  }, schema);
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** What a filter by metadata may be. */
export const oneOrMore = z.union([scalar, z.array(scalar).min(1).max(100)]);
export const span = z.object({ start: z.number(), end: z.number() });
