// The sample collection of a new knowledge base: what it is, what to ask it, and how to remove it.

import { t } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import type { Text } from "../state/texts.ts";
import { useApi } from "../state/use-live.tsx";
import { useAttempt } from "./dialog.tsx";
import { Button, Card, Problem } from "./parts.tsx";

interface Counts {
  readonly documents: number;
  readonly scopes: number;
  readonly ids: readonly string[];
}

/** What was found in a sample is marked: a new person's own documents are searched together with them. */
export function useIsSample(): (id: string | undefined) => boolean {
  const { data } = useApi<Counts>("/api/samples");
  return (id) => data?.ids.includes(id ?? "") === true;
}

export function SampleMark() {
  return (
    <a class="badge" href={toPath("overview")} title={t("Remove the samples")}>
      {t("Sample")}
    </a>
  );
}

const QUESTIONS: readonly Text[] = [
  "How long is parental leave?",
  "How long is the warranty on the battery?",
  "Can I return a bicycle after 20 days?",
];

// They are still being added when the first page opens.
const LOOK_MS = 3_000;

/** Nothing in a knowledge base without samples. */
export function Samples() {
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
    <Card title={t("These documents are samples")}>
      <p>
        {t(
          "{0|document|documents} and the rules of an imaginary bicycle maker, so that you can try a question:",
          data.documents,
        )}
      </p>
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
        <span class="muted">{t("Then drop your own files anywhere on this page.")}</span>
        <Button class="link" text={t("Remove the samples")} onClick={() => void remove()} />
      </p>
      <Problem text={problem && t("Error: {0}", problem)} />
    </Card>
  );
}
