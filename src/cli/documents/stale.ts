import { defined } from "../../domain/defined.ts";
import type { StaleDocument } from "../../tools/operations.ts";
import { command } from "../command.ts";
import { numbers } from "../terminal/table.ts";

const DEFAULT_DAYS = 365;

export const stale = command({
  name: "stale",
  summary: "List documents that are shown often and old",
  effect: "read",
  usage: "stale [--older-than DAYS] [--scope SCOPE] [--limit N]",
  options: {
    "older-than": {
      help: "not changed for this many days (default 365)",
      value: "DAYS",
      range: [1, 36_500],
    },
    scope: { help: "only this scope and what it inherits", value: "SCOPE" },
    limit: {
      help: "maximum number of documents (default 20)",
      short: "n",
      value: "N",
      range: [1, 1_000],
    },
  },
  examples: `
    knowledge-server stale                                       # what is shown most and was not changed for a year
    knowledge-server stale --older-than 90 --scope checkout-api  # the same for a project, after three months
  `,
  async run({ options, openApp, terminal }) {
    const { "older-than": olderThanDays = DEFAULT_DAYS, limit = 20, scope } = options;
    const { operations } = await openApp();
    terminal.list<StaleDocument>(
      await operations.staleDocuments({ olderThanDays, limit, ...defined({ scope }) }),
      [
        { head: "Id", value: ({ document_id: id }) => id.slice(0, 8) },
        { head: "Title", value: ({ title, filename }) => title ?? filename, shrinks: true },
        numbers("Shown", ({ shown }) => shown),
        {
          head: "Changed",
          value: ({ modified, date_added: added }) => (modified ?? added).slice(0, 10),
        },
        { head: "Scope", value: (row) => row.scope, optional: true },
      ],
      "Nothing that old was shown. Searches and answers of running servers count.",
    );
    return 0;
  },
});
