import type { StaleDocument } from "../../tools/operations.ts";
import type { Command } from "../command.ts";
import { readNumber } from "../options.ts";
import { numbers } from "../terminal/table.ts";

const DEFAULT_DAYS = 365;

export const stale: Command = {
  name: "stale",
  effect: "read",
  summary: "List documents that are shown often and old",
  usage: "stale [--older-than DAYS] [--scope SCOPE] [--limit N]",
  options: {
    "older-than": { value: "DAYS", help: "not changed for this many days (default 365)" },
    scope: { value: "SCOPE", help: "only this scope and what it inherits" },
    limit: { short: "n", value: "N", help: "maximum number of documents (default 20)" },
  },
  examples: {
    "knowledge-server stale": "what is shown most and was not changed for a year",
    "knowledge-server stale --older-than 90 --scope checkout-api": "the same for a project",
  },
  async run({ options, openApp, terminal }) {
    const scope = options["scope"];
    const rows = await (await openApp()).operations.staleDocuments({
      olderThanDays: readNumber(options, "older-than", { least: 1, most: 36_500 }) ?? DEFAULT_DAYS,
      limit: readNumber(options, "limit", { least: 1, most: 1_000 }) ?? 20,
      ...(typeof scope === "string" && { scope }),
    });
    if (terminal.asJson) terminal.json(rows);
    else if (rows.length === 0)
      terminal.note("Nothing that old was shown. Searches and answers of running servers count.");
    else
      terminal.table<StaleDocument>(
        [
          { head: "ID", value: ({ document_id: id }) => id.slice(0, 8) },
          { head: "DOCUMENT", value: ({ title, filename }) => title ?? filename, shrinks: true },
          numbers("SHOWN", ({ shown }) => String(shown)),
          {
            head: "FROM",
            value: ({ modified, date_added: added }) => (modified ?? added).slice(0, 10),
          },
          { head: "SCOPE", value: (row) => row.scope, optional: true },
        ],
        rows,
      );
    return 0;
  },
};
