// The six correctness properties of the answers' contract, on the real AWS client against a local service.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Answerer, openAnswer } from "../../src/answer/answer.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { ToolOutput } from "../../src/tools/tool.ts";
import { answerConfig, call, noSearch, useAwsEnvironment } from "../support/answers.ts";
import { type BedrockReply, type BedrockStub, startBedrockStub } from "../support/bedrock-stub.ts";

const RUNS = { numRuns: 100 };
let stub: BedrockStub;
let restore: () => void;

beforeAll(async () => {
  stub = await startBedrockStub();
  restore = useAwsEnvironment({ AWS_ENDPOINT_URL: stub.url, AWS_MAX_ATTEMPTS: "1" });
});
afterAll(async () => {
  restore();
  await stub.close();
});
beforeEach(() => {
  stub.calls.length = 0;
});

const region = fc.constantFrom("ap-northeast-1", "us-east-1", "eu-central-1", "ap-southeast-2");
const kbId = fc.stringMatching(/^[0-9A-Z]{10}$/);
const modelArn = fc
  .tuple(region, fc.stringMatching(/^[a-z0-9.:-]{5,40}$/))
  .map(([where, model]) => `arn:aws:bedrock:${where}::foundation-model/${model}`);
const query = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 200 })
  .map((text) => `q${text}`);
const maxResults = fc.integer({ min: 1, max: 100 });

const place = (env: Record<string, string>) => ({
  env: { ...env, XDG_CONFIG_HOME: "/nonexistent" },
  cwd: "/",
  home: "/",
  platform: "linux",
});

async function withAnswerer<Value>(
  overrides: Parameters<typeof answerConfig>[0],
  use: (answerer: Answerer) => Promise<Value>,
): Promise<Value> {
  const answerer = openAnswer(answerConfig(overrides), noSearch());
  try {
    return await use(answerer);
  } finally {
    answerer.close();
  }
}

const bedrock = { bedrockKbId: "KB12345678", bedrockModelArn: "arn:aws:bedrock:x::m" };
const ask = (args: unknown, overrides: Parameters<typeof answerConfig>[0] = bedrock) =>
  withAnswerer(overrides, (answerer) => call(answerer, args));

// **Feature: mcp-bedrock-kb, Property 1: 設定値の正確な読み込み**
test("property 1: configuration values are loaded exactly, and the region defaults to ap-northeast-1", async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(region), kbId, modelArn, async (where, id, arn) => {
      const env = { BEDROCK_KB_ID: id, BEDROCK_MODEL_ARN: arn };
      const config = await loadConfig(
        {},
        place(where === null ? env : { ...env, AWS_REGION: where }),
      );
      expect(config).toMatchObject({
        awsRegion: where ?? "ap-northeast-1",
        bedrockKbId: id,
        bedrockModelArn: arn,
      });
      stub.calls.length = 0;
      stub.reply({ kind: "ok", body: { output: { text: "x" }, citations: [] } });
      await withAnswerer(config, (answerer) => call(answerer, { query: "q" }));
      expect(stub.calls[0]).toMatchObject({
        region: where ?? "ap-northeast-1",
        service: "bedrock",
        body: {
          retrieveAndGenerateConfiguration: {
            knowledgeBaseConfiguration: { knowledgeBaseId: id, modelArn: arn },
          },
        },
      });
    }),
    RUNS,
  );
});

// **Feature: mcp-bedrock-kb, Property 2: 必須設定欠落時のエラー**
test("property 2: a missing required setting is an error that names the variable", async () => {
  const half = fc.oneof(
    kbId.map((id) => ({ env: { BEDROCK_KB_ID: id }, missing: ["BEDROCK_MODEL_ARN"] })),
    modelArn.map((arn) => ({ env: { BEDROCK_MODEL_ARN: arn }, missing: ["BEDROCK_KB_ID"] })),
    fc.constant({
      env: { KNOWLEDGE_ANSWER: "bedrock" },
      missing: ["BEDROCK_KB_ID", "BEDROCK_MODEL_ARN"],
    }),
  );
  await fc.assert(
    fc.asyncProperty(half, query, async ({ env, missing }, text) => {
      const config = await loadConfig({}, place(env as unknown as Record<string, string>));
      const output = await withAnswerer(config, (answerer) => call(answerer, { query: text }));
      expect(output.isError).toBe(true);
      expect(output.payload).toMatchObject({ error: true, error_type: "ValidationError" });
      for (const name of missing) expect(messageOf(output)).toContain(name);
      expect(stub.calls).toHaveLength(0);
    }),
    RUNS,
  );
});

const location = fc.oneof(
  fc.webUrl().map((uri) => ({ type: "S3", s3Location: { uri } })),
  fc.webUrl().map((url) => ({ type: "WEB", webLocation: { url } })),
);
const reference = fc.record({
  content: fc.record({ text: fc.string({ unit: "grapheme" }) }),
  location,
  score: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
});
const response = fc.record({
  output: fc.record({ text: fc.string({ unit: "grapheme" }) }),
  citations: fc.array(fc.record({ retrievedReferences: fc.array(reference, { maxLength: 4 }) }), {
    maxLength: 4,
  }),
});

// **Feature: mcp-bedrock-kb, Property 3: レスポンスパースで全フィールドを抽出**
test("property 3: parsing a response extracts every field", async () => {
  await fc.assert(
    fc.asyncProperty(response, async (body) => {
      stub.reply({ kind: "ok", body });
      const { payload, isError } = await ask({ query: "q" });
      expect(isError).toBeUndefined();
      const sent = body.citations.flatMap(({ retrievedReferences }) => retrievedReferences);
      expect(payload).toEqual({
        answer: body.output.text,
        citations: JSON.parse(
          JSON.stringify(
            sent.map(({ content, location: where, score = null }) => ({
              content: content.text,
              location: where,
              score,
            })),
          ),
        ),
      });
    }),
    RUNS,
  );
});

// **Feature: mcp-bedrock-kb, Property 4: リクエスト構築で全パラメータを含む**
test("property 4: the request contains every parameter", async () => {
  stub.reply({ kind: "ok", body: { output: { text: "x" }, citations: [] } });
  await fc.assert(
    fc.asyncProperty(query, maxResults, kbId, modelArn, async (text, count, id, arn) => {
      stub.calls.length = 0;
      await ask({ query: text, max_results: count }, { bedrockKbId: id, bedrockModelArn: arn });
      expect(stub.calls.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
        {
          method: "POST",
          path: "/retrieveAndGenerate",
          body: {
            input: { text },
            retrieveAndGenerateConfiguration: {
              type: "KNOWLEDGE_BASE",
              knowledgeBaseConfiguration: {
                knowledgeBaseId: id,
                modelArn: arn,
                retrievalConfiguration: { vectorSearchConfiguration: { numberOfResults: count } },
              },
            },
          },
        },
      ]);
    }),
    RUNS,
  );
});

// **Feature: mcp-bedrock-kb, Property 5: 空白のみのクエリを拒否**
test("property 5: a query of white space only is refused and nothing is called", async () => {
  const blank = fc.string({
    unit: fc.constantFrom(
      ..." \t\n\r\v\f\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\u200d\u2060\ufeff\u00ad",
    ),
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(blank, fc.boolean(), async (text, remote) => {
      const output = await ask({ query: text }, remote ? bedrock : {});
      expect(output.isError).toBe(true);
      expect(output.payload).toMatchObject({ error: true, error_type: "ValidationError" });
      expect(stub.calls).toHaveLength(0);
    }),
    RUNS,
  );
});

// **Feature: mcp-bedrock-kb, Property 6: APIエラーで例外詳細を保持**
test("property 6: an error of the service keeps the exception's details", async () => {
  const names = [
    "ThrottlingException:429",
    "ValidationException:400",
    "InternalServerException:500",
    "ServiceQuotaExceededException:400",
    "ConflictException:409",
    "DependencyFailedException:424",
    "BadGatewayException:502",
    "AccessDeniedException:403",
    "ResourceNotFoundException:404",
    "SomethingNewException:418",
  ];
  const message = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .,'-]{0,80}$/);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), message, async (thrown, text) => {
      const [name = "", status] = thrown.split(":");
      stub.reply({ kind: "error", status: Number(status), name, message: text } as BedrockReply);
      const output = await ask({ query: "q" });
      expect(output.isError).toBe(true);
      expect(output.payload).toMatchObject({ error: true });
      expect(messageOf(output)).toContain(name);
      expect(messageOf(output)).toContain(text);
    }),
    RUNS,
  );
});

function messageOf(output: ToolOutput): string {
  return (output.payload as { message: string }).message;
}
