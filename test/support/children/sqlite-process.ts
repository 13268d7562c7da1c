// A separate process on a data folder: node sqlite-process.ts DIR ROLE NUMBER
// Prints a line for everything that the store has acknowledged.
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Store } from "../../../src/store/store.ts";
import { addSample, foundTexts, sampleDocument, sampleHash } from "../sample-documents.ts";
import { openStoreAt } from "../temp-store.ts";

const [dataDir = "", role = "", number = "0"] = process.argv.slice(2);

/** Synchronous, because a kill would lose buffered output. */
const print = (line: string) => writeSync(1, `${line}\n`);

/** Adds until it is killed; most documents are new, some replace the one before at the same path. */
async function churn({ documents, tasks }: Store): Promise<never> {
  for (let turn = 0; ; turn++) {
    const id = `${number}-${turn}`;
    const texts = Array.from({ length: 1 + (turn % 5) }, (_, at) => `churn ${id} part ${at}`);
    const taskId = randomUUID();
    const contentHash = sampleHash(id);
    const request = { contentHash, filename: id, sizeBytes: 1, metadata: {}, forceOcr: false };
    await tasks.enqueue(taskId, request);
    print(`task ${taskId}`);
    const sourcePath = `/${number}/${turn % 3}`;
    const { document, chunks } = sampleDocument(texts, { id, sourcePath });
    await documents.put(document, chunks);
    print(`document ${id} ${sourcePath}`);
  }
}

/** Adds a few documents and searches for each at once, while other processes do the same. */
async function share(store: Store): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    const text = `shared w${number}t${turn}`;
    await addSample(store.documents, [text, `more of w${number}`], { id: `${number}-${turn}` });
    const found = await foundTexts(store.documents, `w${number}t${turn}`);
    if (found[0] !== text) throw new Error(`Not found right after adding: ${text}`);
    await store.tasks.enqueue(`task-${number}-${turn}`, {
      contentHash: sampleHash(text),
      filename: text,
      sizeBytes: 1,
      metadata: {},
      forceOcr: false,
    });
    await store.scopes.apply([
      { kind: "put-scope", scope: { id: `s${number}-${turn}`, tier: "GENERAL" } },
    ]);
  }
}

/** Prints what a read-only folder returns. */
async function look(store: Store): Promise<void> {
  const put = await addSample(store.documents, ["never stored"]).then(
    () => "stored",
    (error: { code?: string }) => error.code ?? "?",
  );
  const found = await foundTexts(store.documents, "words").catch((error: unknown) => [
    String(error),
  ]);
  const { issues } = await store.health();
  print(JSON.stringify({ put, found, issues }));
}

/** Prints what is there, at the start and again for every line of input. */
async function follow(store: Store): Promise<void> {
  const show = async () => {
    const found = await foundTexts(store.documents, "words");
    const version = await store.scopes.version();
    print(JSON.stringify({ found: found.toSorted(), version }));
  };
  await show();
  for await (const _ of createInterface({ input: process.stdin })) await show();
}

/** Reads, then tries to add for every line of input. */
async function addLater(store: Store): Promise<void> {
  const found = await foundTexts(store.documents, "words");
  await store.scopes.version();
  print(JSON.stringify(found));
  for await (const line of createInterface({ input: process.stdin })) {
    const scope = { id: line, tier: "GENERAL" } as const;
    const put = store.scopes.apply([{ kind: "put-scope", scope }]);
    print(await put.then(() => "stored").catch((error: { code?: string }) => error.code ?? "?"));
  }
}

/** Has the database open until its input ends. */
async function hold(store: Store): Promise<void> {
  await store.documents.totals();
  print("open");
  for await (const _ of process.stdin);
}

const READS = ["look", "follow", "health", "add-later"];
// Root may write anywhere.
if (process.getuid?.() === 0 && READS.includes(role)) process.setuid?.(65534);
const opened = openStoreAt(dataDir);
if (role === "churn") await churn(opened);
if (role === "add") await addSample(opened.documents, [number]);
else if (role === "add-later") await addLater(opened);
else if (role === "hold") await hold(opened);
else if (role === "health") print(JSON.stringify(await opened.health()));
else if (role === "follow") await follow(opened);
else await (role === "share" ? share(opened) : look(opened));
await opened.close();
