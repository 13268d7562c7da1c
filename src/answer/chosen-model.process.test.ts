// A model server that is really there: found, compared, chosen, and still chosen after a restart.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerConfig } from "../../test/support/answers.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { openAnswerWithChoice } from "./chosen-model.ts";

const MODELS = { data: [{ id: "small-model" }, { id: 7 }, {}, { id: "x".repeat(300) }] };
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end(JSON.stringify(MODELS));
});
const asked: string[] = [];
const state = { places: new Map<string, number>() };

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // Port 9 refuses connections.
  state.places = new Map([
    ["Ollama", port],
    ["LM Studio", 9],
  ]);
});
afterAll(() => void server.close());

const open = (dataDir: string, overrides = {}) =>
  openAnswerWithChoice(
    { ...answerConfig(overrides), dataDir },
    {
      search: () => Promise.reject(new Error("not used")),
      reading: () => Promise.reject(new Error("not used")),
      log: silentLog(),
    },
    state.places,
  );
const { signal } = new AbortController();

test("nothing is asked before an administrator asks; then usable models are listed", async () => {
  const { models } = open(tempFolder("models"));
  expect(asked).toEqual([]);
  expect(await models.model()).toEqual({ isConfigured: false });
  expect(await models.findModels(signal)).toEqual([{ program: "Ollama", models: ["small-model"] }]);
  expect(asked).toEqual(["/v1/models"]);
});

test("a choice is used at once and after a restart, until it is withdrawn", async () => {
  const dataDir = tempFolder("models");
  const { answers, models } = open(dataDir);
  const choice = { program: "Ollama", model: "small-model" };
  await models.chooseModel(choice);
  const endpoint = `127.0.0.1:${state.places.get("Ollama")}`;
  expect(answers.describe()).toEqual({ kind: "local", endpoint });
  const again = open(dataDir);
  expect(await again.models.model()).toEqual({ isConfigured: false, choice });
  expect(again.answers.describe()).toEqual({ kind: "local", endpoint });
  await again.models.chooseModel(undefined);
  expect(await open(dataDir).models.model()).toEqual({ isConfigured: false });
});

test("the settings take precedence, and only known programs can be chosen", async () => {
  const dataDir = tempFolder("models");
  await open(dataDir).models.chooseModel({ program: "Ollama", model: "small-model" });
  const configured = open(dataDir, { llmUrl: "http://127.0.0.1:1/v1" });
  expect(await configured.models.model()).toEqual({ isConfigured: true });
  expect(configured.answers.describe()).toMatchObject({ endpoint: "127.0.0.1:1" });
  const elsewhere = { program: "evil.example", model: "x" };
  await expect(open(dataDir).models.chooseModel(elsewhere)).rejects.toThrow("must be one of");
});
