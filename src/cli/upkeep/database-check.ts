// The possible states of the embedded database, each with its remedy.
import type { KnowledgeError } from "../../domain/errors.ts";
import type { Check, CheckOutcome } from "../../tools/family.ts";
import type { FolderFinding } from "../../tools/operations.ts";
import type { OpenToolbox } from "../command.ts";

export function databaseCheck({ operations }: Pick<OpenToolbox, "operations">): Check {
  return {
    name: "database",
    run: async () => {
      const finding = await operations.examine();
      if (!finding) return { state: "off", detail: "the knowledge base is in PostgreSQL" };
      return describe(finding);
    },
  };
}

/** Used when the program could not even open the folder. */
export function toOutcome({
  code,
  message,
}: Pick<KnowledgeError, "code" | "message">): CheckOutcome {
  return describe({ kind: "unusable", code, detail: message });
}

const REPAIR = "Stop every server on this data folder, then run `knowledge-server repair`.";

/** Remedies by error code; the messages of other errors already include what to do. */
const REMEDIES = new Map(
  Object.entries({
    STORE_TOO_NEW: "Update knowledge-server to the version that wrote this folder.",
    STORE_CORRUPT: REPAIR,
    STORE_FULL: "Free some space on the data folder's disk.",
  }),
);

function describe(finding: FolderFinding): CheckOutcome {
  const { kind, detail } = finding;
  switch (kind) {
    case "none":
    case "sound":
      return { state: "ok", detail };
    case "damaged":
      return { state: "fail", detail, remedy: REPAIR };
    case "lost":
      return {
        state: "fail",
        detail,
        remedy:
          "Put knowledge.db back, or restore a backup into another folder. `knowledge-server repair --force` builds a new one from the original files, without names and metadata.",
      };
    case "unusable": {
      const remedy = REMEDIES.get(finding.code);
      return { state: "fail", detail, ...(remedy === undefined ? {} : { remedy }) };
    }
  }
}
