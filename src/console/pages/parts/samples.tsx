// The sample collection of a new knowledge base: what it is, what to ask it, and how to remove it.

import { useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import type { MessageKey } from "../state/translations.ts";
import { useApi } from "../state/use-live.ts";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { useAttempt } from "./dialog.tsx";
import { Problem } from "./notices.tsx";

interface Counts {
  readonly documents: number;
  readonly scopes: number;
}

const QUESTIONS: readonly MessageKey[] = ["sampleAsk1", "sampleAsk2", "sampleAsk3"];

// They are still being added when the first page opens.
const LOOK_MS = 3_000;

/** Nothing in a knowledge base without samples. */
export function Samples() {
  const { t } = useI18n();
  const { data, refresh } = useApi<Counts>("/api/samples", LOOK_MS);
  const { problem, attempt } = useAttempt();
  if (!data || data.documents === 0) return null;
  const remove = () =>
    attempt(async () => {
      await api("/api/samples/remove", { body: {} });
      refresh();
    });
  // Their rules are added last: before, an answer may be in a document that is still to come.
  const questions = data.scopes > 0 ? QUESTIONS : [];
  return (
    <Card title={t("samplesHere")}>
      <p>{t("samplesText", data.documents)}</p>
      <ul class="picks">
        {questions.map((key) => (
          <li key={key}>
            <a class="button outline" data-hit href={toPath("search", "", { q: t(key), ask: "1" })}>
              {t(key)}
            </a>
          </li>
        ))}
      </ul>
      <p class="row small">
        <span class="muted">{t("samplesOwn")}</span>
        <Button class="link" text={t("samplesRemove")} onClick={() => void remove()} />
      </p>
      <Problem text={problem && t("failed", problem)} />
    </Card>
  );
}
