import * as z from "zod";
import { metadataProblem } from "../domain/metadata.ts";

/** A free-form object: its depth, width and size are checked before `schema` looks inside. */
export function bounded<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, { issues }) => {
    const message = metadataProblem(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value });
    return value;
  }, schema);
}
