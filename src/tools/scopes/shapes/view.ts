// Resources that the console reads.
import * as z from "zod";
import { entry, tier } from "./scope.ts";

const scope = z.object({
  id: z.string(),
  tier,
  parent: z.string().nullable().optional(),
  description: z.string().optional(),
});

/** knowledge://scopes */
export const scopesView = z.object({
  scopes: z.array(scope.extend({ category_count: z.number(), entry_count: z.number() })),
});

/** knowledge://explained-scopes/{id} */
export const explainedView = z.object({
  scope,
  chain: z.array(scope),
  categories: z.array(z.object({ name: z.string(), tier, description: z.string() })),
  entries: z.array(
    entry.extend({
      overridden: z.array(z.object({ scope: z.string(), tier, content: z.string() })),
    }),
  ),
});
