// Settings of the server: the language model that phrases answers.

import { useState } from "preact/hooks";
import type {
  FoundModels,
  ModelChoice,
  ModelState,
  TriedQuestion,
} from "../../../tools/operations.ts";
import { useAttempt } from "../parts/dialog.tsx";
import { Button, Card, Problem } from "../parts/parts.tsx";
import { readKept } from "../state/kept.ts";
import { sayMessage, t } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { useApi } from "../state/use-live.tsx";

const MODEL = "/api/model";

export function Settings() {
  const { data, failed, refresh } = useApi<ModelState>(MODEL);
  return (
    <>
      <h1>{t("Settings")}</h1>
      {failed}
      {data && (
        <Card title={t("Language model")}>
          <p>
            {t(
              "Without a model, answers quote your documents. A language model on this machine can put them into its own words; every statement is still checked against a quotation. Nothing leaves this machine.",
            )}
          </p>
          {data.isConfigured ? (
            <p class="muted">
              {t("A model is set by KNOWLEDGE_LLM_URL. Change it where the server is started.")}
            </p>
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
          <span>{t("In use: {0} ({1})", choice.model, choice.program)}</span>
          <Button class="quiet" text={t("Stop using it")} onClick={() => void choose()} />
        </p>
      )}
      <Button
        class={choice ? "outline" : undefined}
        icon="search"
        text={t(isBusy ? "Looking…" : "Look for a model on this machine")}
        disabled={isBusy}
        onClick={() => void find()}
      />
      <Problem text={problem} />
      {found?.length === 0 && (
        <p class="muted">
          {t(
            "No model was found. Start Ollama, LM Studio or llama.cpp's server on their usual ports, load a model, and look again.",
          )}
        </p>
      )}
      {found && found.length > 0 && <Found found={found} onChoose={choose} />}
    </>
  );
}

interface FoundProps {
  readonly found: readonly FoundModels[];
  readonly onChoose: (choice: ModelChoice) => Promise<void>;
}

function Found({ found, onChoose }: FoundProps) {
  const choices = found.flatMap(({ program, models }) =>
    models.map((model) => ({ program, model })),
  );
  const [at, setAt] = useState(0);
  const choice = choices[at] ?? choices[0];
  if (choice === undefined) return null;
  return (
    <div class="form model">
      <label>
        {t("{0|model|models} found", choices.length)}
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
  const [tried, setTried] = useState<readonly TriedQuestion[]>([]);
  const { problem, isBusy, attempt } = useAttempt();
  const own = readKept("recent");
  const questions = [
    ...own,
    t("How long is parental leave?"),
    t("How long is the warranty on the battery?"),
    t("Can I return a bicycle after 20 days?"),
  ].slice(0, 3);
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
          text={t(isBusy ? "Asking…" : "Compare on three questions")}
          disabled={isBusy}
          onClick={() => void test()}
        />
        <Button text={t("Use this model")} onClick={() => void onChoose(choice)} />
      </div>
      <Problem text={problem} />
      {tried.map((one) => (
        <Compared key={one.question} tried={one} />
      ))}
    </>
  );
}

function Compared({ tried }: { readonly tried: TriedQuestion }) {
  return (
    <section class="compared" aria-label={tried.question}>
      <h3>{tried.question}</h3>
      <dl class="pair">
        <div>
          <dt class="muted small">{t("Without a model")}</dt>
          <dd>{tried.without}</dd>
        </div>
        <div>
          <dt class="muted small">{t("With this model")}</dt>
          <dd>{tried.with}</dd>
        </div>
      </dl>
      {tried.warning && <p class="muted small">{sayMessage(tried.warning)}</p>}
    </section>
  );
}
