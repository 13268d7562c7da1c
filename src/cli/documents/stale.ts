import type { StaleDocument } from "../../tools/operations.ts";
import type { Command } from "../command.ts";
import { readNumber } from "../options.ts";
import { numbers } from "../terminal/table.ts";

const DEFAULT_DAYS = 365;

export const stale: Command = {
  name: "stale",
  effect: "read",
  usage: "stale [--older-than DAYS] [--scope SCOPE] [--limit N]",
  options: {
    "older-than": { value: "DAYS" },
    scope: { value: "SCOPE" },
    limit: { short: "n", value: "N" },
  },
  examples: [
    "knowledge-server stale",
    "knowledge-server stale --older-than 90 --scope checkout-api",
  ],
  async run({ options, openApp, terminal }) {
    const scope = options["scope"];
    const rows = await (await openApp()).operations.staleDocuments({
      olderThanDays: readNumber(options, "older-than", { least: 1, most: 36_500 }) ?? DEFAULT_DAYS,
      limit: readNumber(options, "limit", { least: 1, most: 1_000 }) ?? 20,
      ...(typeof scope === "string" && { scope }),
    });
    if (terminal.asJson) terminal.json(rows);
    else if (rows.length === 0) terminal.note(terminal.t("noneStale"));
    else
      terminal.table<StaleDocument>(
        [
          { head: "fieldId", value: ({ document_id: id }) => id.slice(0, 8) },
          { head: "fieldTitle", value: ({ title, filename }) => title ?? filename, shrinks: true },
          numbers("fieldShown", ({ shown }) => String(shown)),
          {
            head: "fieldChanged",
            value: ({ modified, date_added: added }) => (modified ?? added).slice(0, 10),
          },
          { head: "fieldScope", value: (row) => row.scope, optional: true },
        ],
        rows,
      );
    return 0;
  },
};
