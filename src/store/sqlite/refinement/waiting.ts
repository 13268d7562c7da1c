import type { Encoders } from "../../core/refinement.ts";
import type { Database } from "../database.ts";
import { countOld } from "./claim.ts";
import { openHasEncodings } from "./encodings.ts";

export function openRefinementReader(database: Database) {
  const hasEncodings = openHasEncodings(database);
  return {
    refinementsWaiting: (under: Encoders): { documents: number; chunks: number } =>
      database.read(() => {
        if (!hasEncodings()) return { documents: 0, chunks: 0 };
        const open = database.get<{ documents: number; chunks: number }>(
          `SELECT count(*) AS documents, coalesce(sum(unchecked + waiting), 0) AS chunks
           FROM encodings JOIN documents USING (doc, first_key)
           WHERE unchecked + waiting > 0 AND +fingerprint = ? AND encoders = ?`,
          under.fingerprint,
          under.encoders,
        );
        const old = countOld(database, under);
        return {
          documents: (open?.documents ?? 0) + (old?.documents ?? 0),
          chunks: (open?.chunks ?? 0) + (old?.chunks ?? 0),
        };
      }),
    refinementHolders: (): readonly string[] =>
      database.read(() =>
        hasEncodings()
          ? database
              .all<{ worker: string }>(
                "SELECT DISTINCT worker FROM encodings WHERE worker IS NOT NULL",
              )
              .map(({ worker }) => worker)
          : [],
      ),
  };
}
