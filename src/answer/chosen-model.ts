// A language model on this machine that an administrator chose in the console: looked for only when asked, tried
// before it is used, and kept in the data folder. A model from the settings (KNOWLEDGE_LLM_URL) takes precedence.

import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";
import type { Message } from "../domain/phrases/messages.ts";
import {
  type AnswerConfig,
  type Answerer,
  type AnswerOutcome,
  type AnswerParts,
  openAnswer,
} from "./answer.ts";

/** Programs that run models, and the loopback ports they listen on by default. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ["Ollama", 11_434],
  ["LM Studio", 1_234],
  ["llama.cpp", 8_080],
]);

export interface ModelChoice {
  /** The program's name. */
  readonly program: string;
  readonly model: string;
}

export interface FoundModels {
  readonly program: string;
  readonly models: readonly string[];
}

export interface ModelState {
  /** The settings name a model, which cannot be changed here. */
  readonly isConfigured: boolean;
  readonly choice?: ModelChoice;
}

/** The same question, answered without and with a model. */
export interface TriedQuestion {
  readonly question: string;
  readonly without: string;
  readonly with: string;
  /** Why the model gave no answer. */
  readonly warning?: Message;
}

export interface LocalModels {
  model(): Promise<ModelState>;
  findModels(signal: AbortSignal): Promise<readonly FoundModels[]>;
  tryModel(
    choice: ModelChoice,
    questions: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly TriedQuestion[]>;
  /** Undefined: no model. From the next question on. */
  chooseModel(choice: ModelChoice | undefined): Promise<void>;
}

type ChosenConfig = AnswerConfig & { readonly dataDir: string };

export function openAnswerWithChoice(
  config: ChosenConfig,
  parts: AnswerParts,
  places = PLACES,
): { readonly answers: Answerer; readonly models: LocalModels } {
  const file = join(config.dataDir, "language-model.json");
  const isConfigured = config.llmUrl !== undefined;
  const withModel = (choice: ModelChoice | undefined) =>
    openAnswer(choice ? { ...config, ...endpointOf(choice, places) } : config, parts);
  const state = { choice: isConfigured ? undefined : readChoice(file, places) };
  let current = withModel(state.choice);
  return {
    answers: {
      answer: (request, options) => current.answer(request, options),
      describe: () => current.describe(),
      close: () => current.close(),
    },
    models: {
      model: async () => ({ isConfigured, ...(state.choice && { choice: state.choice }) }),
      findModels: (signal) => findModels(places, signal),
      tryModel: (choice, questions, signal) =>
        compare({ plain: withModel(undefined), by: withModel(choice) }, questions, signal),
      async chooseModel(choice) {
        const next = withModel(choice);
        await keepChoice(file, choice);
        state.choice = choice;
        current.close();
        current = next;
      },
    },
  };
}

function endpointOf({ program, model }: ModelChoice, places: typeof PLACES) {
  const port = places.get(program);
  if (port === undefined) {
    const known = [...places.keys()].join(", ");
    throw new KnowledgeError("INVALID_PARAMETER", `'program' must be one of ${known}.`);
  }
  return { llmUrl: addressOf(port), llmModel: model };
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

function readChoice(file: string, places: typeof PLACES): ModelChoice | undefined {
  try {
    const { program, model } = JSON.parse(readFileSync(file, "utf8"));
    return places.has(program) && typeof model === "string" ? { program, model } : undefined;
  } catch {
    // None was chosen, or the file is damaged: answers do not need a model.
    return undefined;
  }
}

async function keepChoice(file: string, choice: ModelChoice | undefined): Promise<void> {
  if (choice === undefined) return rm(file, { force: true });
  await writeFile(`${file}.new`, `${JSON.stringify(choice)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

// A program on this machine lists its models at once, unless it is still starting.
const FIND_MS = 2_000;
const MAX_LIST_BYTES = 1_000_000;
const MAX_MODELS = 50;
const MAX_NAME = 200;

async function findModels(places: typeof PLACES, signal: AbortSignal) {
  const found = await Promise.all(
    [...places].map(async ([program, port]) => {
      const either = AbortSignal.any([signal, AbortSignal.timeout(FIND_MS)]);
      const models = await listModels(addressOf(port), either).catch(() => []);
      return { program, models };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

async function listModels(address: string, signal: AbortSignal): Promise<readonly string[]> {
  const { askEndpoint } = await import("../endpoint/endpoint.ts");
  const reply = await askEndpoint(
    { url: `${address}/models` },
    { signal, maxBytes: MAX_LIST_BYTES },
  );
  const { data } = reply as { readonly data?: unknown };
  const names: unknown[] = Array.isArray(data) ? data.map((each) => each?.id) : [];
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME;
  return names.filter(isName).slice(0, MAX_MODELS);
}

interface Compared {
  readonly plain: Answerer;
  readonly by: Answerer;
}

async function compare({ plain, by }: Compared, questions: readonly string[], signal: AbortSignal) {
  const tried: TriedQuestion[] = [];
  const shown = ({ answer }: AnswerOutcome) => answer.replace(/ ?\[\d+\]/g, "");
  for (const query of questions) {
    const request = { query, maxResults: 4 };
    const without = await plain.answer(request, { signal });
    const outcome = await by.answer(request, { signal });
    const { warning } = outcome;
    tried.push({
      question: query,
      without: shown(without),
      with: shown(outcome),
      ...(warning !== undefined && { warning }),
    });
  }
  return tried;
}
