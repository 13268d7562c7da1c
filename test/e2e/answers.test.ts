// Answers through a real client: files added to a real server, questions asked, the three outcomes.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connected, connect, type ServerPlace } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILES = {
  "stock.csv":
    'Part,Category,Price,Stock\nBall valve,Valves,$34.50,120\nGate valve,Valves,$112.00,35\nGear pump,Pumps,"$1,240.00",8\n',
  "receipt.txt":
    "HARBOUR STORE\nReceipt No 5521 Date 14/03/2026\nCashier: Imogen Price\n\nSubtotal 12.35\nTotal 13.10\n",
  "pumps.md":
    "# Pumps\n\nA gear pump is a pump that moves liquid between two meshing gears.\n\nTo reset the gear pump, run:\n\n```sh\npumpctl reset --all\n```\n",
};

let place: ServerPlace;
let at: Connected;

beforeAll(async () => {
  const folder = tempFolder("answers-e2e");
  place = { dataDir: join(folder, "data"), root: join(folder, "files") };
  await mkdir(place.root);
  at = await connect("stdio", place);
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(place.root, name);
    await writeFile(path, text);
    await at.call("knowledge-add", { file_path: path, async: false });
  }
});
afterAll(async () => {
  await at?.close();
  await rm(join(place.dataDir, ".."), { recursive: true, force: true });
});

const ask = async (query: string) => {
  const { structuredContent } = await at.client.callTool({
    name: "kb_answer",
    arguments: { query },
  });
  return structuredContent as Record<string, unknown>;
};

test("a cell is looked up and cited; a table is not compared or added up", async () => {
  expect(await ask("What is the price of the gate valve?")).toMatchObject({
    outcome: "answered",
    grounded: true,
    kind: "table",
    answer: expect.stringMatching(/^Price: \$112\.00 \(/),
    citations: [{ location: { filename: "stock.csv", table: { cells: ["C3"] } } }],
  });
  expect((await ask("Which part is the most expensive?"))["grounded"]).toBe(false);
  expect((await ask("What is the total stock of the valves?"))["grounded"]).toBe(false);
});

test("a receipt is quoted or shown, with its total", async () => {
  const given = await ask("What is the total on the receipt of the Harbour Store?");
  expect(JSON.stringify(given)).toContain("Total 13.10");
});

test("a definition is quoted, a command comes with its block", async () => {
  const defined = await ask("What is a gear pump?");
  expect(JSON.stringify(defined)).toContain("moves liquid between two");
  const { answer, outcome, citations } = await ask("How do I reset the gear pump?");
  expect(JSON.stringify(citations)).toContain("pumpctl reset --all");
  if (outcome === "answered") expect(answer).toContain("pumpctl reset --all");
});

test("a question that the documents do not cover gets no answer", async () => {
  const { grounded, outcome } = await ask("Who composed the opera The Magic Flute?");
  expect(grounded).toBe(false);
  expect(["related", "nothing"]).toContain(outcome);
});
