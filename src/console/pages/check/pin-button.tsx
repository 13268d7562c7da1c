import { useState } from "preact/hooks";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { Button } from "../parts/button.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Problem } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { CHECK_TOOL, useOffers } from "../state/offered-tools.ts";

// Enough words to tell the passage from others.
const PHRASE = 300;

/** From now on the check expects this passage for this question. */
export function PinButton({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const [isPinned, setPinned] = useState(false);
  const { problem, attempt } = useAttempt();
  if (!useOffers(CHECK_TOOL)) return null;
  const phrase = hit.chunk_text.replaceAll("…", " ").trim().slice(0, PHRASE);
  const pin = () =>
    attempt(async () => {
      const { document_id: documentId } = hit;
      await api("/api/check/pin", { body: { question: query, documentId, phrase } });
      setPinned(true);
    });
  return (
    <>
      <Button
        class="quiet small"
        text={t(isPinned ? "pinned" : "pinCheck")}
        title={t("pinTitle")}
        disabled={isPinned}
        onClick={pin}
      />
      <Problem text={problem} />
    </>
  );
}
