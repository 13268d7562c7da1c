// The two tools that ChatGPT expects from a knowledge source, in OpenAI's published shapes.
import * as z from "zod";

const refused = z.object({ error: z.string(), message: z.string() });

export const SEARCH = {
  name: "search",
  input: z.object({ query: z.string().trim().min(1, "must not be empty").max(4_096) }),
  success: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
  }),
  failure: refused,
};

export const FETCH = {
  name: "fetch",
  input: z.object({ id: z.string().min(1, "must not be empty").max(200) }),
  success: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  failure: refused,
};
