// Settings of the server: the language model that phrases answers.

import { useState } from "preact/hooks";
import type {
  FoundModels,
  ModelChoice,
  ModelState,
  TriedQuestion,
} from "../../../tools/operations.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Failed, Problem } from "../parts/notices.tsx";
import { readKept } from "../state/kept.ts";
import { useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { useApi } from "../state/use-live.ts";

const MODEL = "/api/model";

export function Settings() {
  const { t } = useI18n();
  const { data, error, refresh } = useApi<ModelState>(MODEL);
  return (
    <>
      <h1>{t("settings")}</h1>
      {error && <Failed reason={error} onRetry={refresh} />}
      {data && (
        <Card title={t("languageModel")}>
          <p>{t("languageModelText")}</p>
          {data.isConfigured ? (
            <p class="muted">{t("modelConfigured")}</p>
          ) : (
            <ChooseModel state={data} onChange={refresh} />
          )}
        </Card>
      )}
    </>
  );
}

interface ChooseProps {
  readonly state: ModelState;
  readonly onChange: () => void;
}

function ChooseModel({ state: { choice }, onChange }: ChooseProps) {
  const { t } = useI18n();
  const [found, setFound] = useState<readonly FoundModels[]>();
  const { problem, isBusy, attempt } = useAttempt();
  const find = () =>
    attempt(async () =>
      setFound((await api<{ found: readonly FoundModels[] }>(`${MODEL}/find`, { body: {} })).found),
    );
  const choose = (next?: ModelChoice) =>
    attempt(async () => {
      await api(`${MODEL}/choose`, { body: { choice: next } });
      onChange();
    });
  return (
    <>
      {choice && (
        <p class="row">
          <span>{t("modelInUse", choice.model, choice.program)}</span>
          <Button class="quiet" text={t("modelOff")} onClick={() => void choose()} />
        </p>
      )}
      <Button
        class={choice ? "outline" : undefined}
        icon="search"
        text={t(isBusy ? "modelLooking" : "modelFind")}
        disabled={isBusy}
        onClick={() => void find()}
      />
      <Problem text={problem} />
      {found?.length === 0 && <p class="muted">{t("modelNone")}</p>}
      {found && found.length > 0 && <Found found={found} onChoose={choose} />}
    </>
  );
}

interface FoundProps {
  readonly found: readonly FoundModels[];
  readonly onChoose: (choice: ModelChoice) => Promise<void>;
}

function Found({ found, onChoose }: FoundProps) {
  const { t } = useI18n();
  const choices = found.flatMap(({ program, models }) =>
    models.map((model) => ({ program, model })),
  );
  const [at, setAt] = useState(0);
  const choice = choices[at] ?? choices[0];
  if (choice === undefined) return null;
  return (
    <div class="form model">
      <label>
        {t("modelFound", choices.length)}
        <select value={at} onInput={(event) => setAt(Number(event.currentTarget.value))}>
          {choices.map(({ program, model }, index) => (
            <option key={`${program} ${model}`} value={index}>
              {model} ({program})
            </option>
          ))}
        </select>
      </label>
      <Trial key={at} choice={choice} onChoose={onChoose} />
    </div>
  );
}

type TrialProps = Pick<FoundProps, "onChoose"> & { readonly choice: ModelChoice };

/** Shows what the model changes, on questions of this person or on the samples' ones. */
function Trial({ choice, onChoose }: TrialProps) {
  const { t } = useI18n();
  const [tried, setTried] = useState<readonly TriedQuestion[]>([]);
  const { problem, isBusy, attempt } = useAttempt();
  const own = readKept("recent");
  const questions = [...own, t("sampleAsk1"), t("sampleAsk2"), t("sampleAsk3")].slice(0, 3);
  const test = () =>
    attempt(async () => {
      setTried([]);
      // One at a time, so that the first is shown while the others are answered.
      for (const question of questions) {
        const body = { choice, questions: [question] };
        const result = await api<{ tried: readonly TriedQuestion[] }>(`${MODEL}/try`, { body });
        setTried((before) => [...before, ...result.tried]);
      }
    });
  return (
    <>
      <div class="row">
        <Button
          class="outline"
          text={t(isBusy ? "modelTesting" : "modelTest")}
          disabled={isBusy}
          onClick={() => void test()}
        />
        <Button text={t("modelUse")} onClick={() => void onChoose(choice)} />
      </div>
      <Problem text={problem} />
      {tried.map((one) => (
        <Compared key={one.question} tried={one} />
      ))}
    </>
  );
}

function Compared({ tried }: { readonly tried: TriedQuestion }) {
  const { t, sayMessage } = useI18n();
  return (
    <section class="compared" aria-label={tried.question}>
      <h3>{tried.question}</h3>
      <dl class="pair">
        <div>
          <dt class="muted small">{t("modelWithout")}</dt>
          <dd>{tried.without}</dd>
        </div>
        <div>
          <dt class="muted small">{t("modelWith")}</dt>
          <dd>{tried.with}</dd>
        </div>
      </dl>
      {tried.warning && <p class="muted small">{sayMessage(tried.warning)}</p>}
    </section>
  );
}
