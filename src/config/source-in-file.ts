// One of the sources or watched folders that the settings file lists.
import * as z from "zod";
import { defined } from "../domain/defined.ts";
import { namesOtherHome } from "../domain/home-path.ts";
import { readInterval, SOURCE_KINDS } from "../domain/source.ts";

export const text = z.string().trim().min(1, "must not be empty");
export const path = text.refine((given) => !namesOtherHome(given), {
  error: "~ means your own home folder only; write the whole path, or ./~name",
});

export const folderInFile = z.preprocess(
  (given: unknown) => (typeof given === "string" ? { path: given } : given),
  z.strictObject({
    path,
    /** Glob patterns; without them every supported format. */
    include: z.array(text).optional(),
    exclude: z.array(text).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    scope: text.optional(),
  }),
);

const EVERY = "must be a time such as 30m, 6h or 1d";
export const sourceInFile = z
  .strictObject({
    /** A web address, or the whole path of a folder or repository. */
    address: text,
    kind: z.enum(SOURCE_KINDS).optional(),
    every: text.refine((given) => readInterval(given) !== undefined, EVERY).optional(),
    include: z.array(text).optional(),
    exclude: z.array(text).optional(),
    prefix: text.optional(),
    depth: z.int().min(0).max(100).optional(),
    maxItems: z.int().min(1).max(1_000_000).optional(),
    allowHosts: z.array(text).optional(),
    ref: text.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    scope: text.optional(),
  })
  .transform(({ address, kind, every = "", ...settings }) => {
    const everySeconds = readInterval(every);
    return { address, kind, settings: defined({ ...settings, everySeconds }) };
  });
