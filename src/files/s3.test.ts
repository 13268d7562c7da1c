import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  refuse,
  S3_KEYS,
  S3_REGION,
  type S3Server,
  signatureOf,
  startS3,
} from "../../test/support/s3-server.ts";
import { openBucket } from "./s3.ts";

let server: S3Server;
beforeEach(async () => {
  server = await startS3({ pageSize: 2 });
});
afterEach(() => server.close());

const { signal } = new AbortController();
const open = (options: { readonly secretAccessKey?: string } = {}) =>
  openBucket("our-docs", {
    ...{ endpoint: server.url, region: S3_REGION, credentials: { ...S3_KEYS, ...options } },
  });

async function textOf(content: { readonly bytes: AsyncIterable<Uint8Array> } | undefined) {
  const parts: Uint8Array[] = [];
  for await (const part of content?.bytes ?? []) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const uploadOf = (text: string, sha256 = createHash("sha256").update(text).digest("hex")) => ({
  ...{ sizeBytes: Buffer.byteLength(text), sha256 },
  async *read() {
    yield Buffer.from(text.slice(0, 3));
    yield Buffer.from(text.slice(3));
  },
});

test("the signature of AWS's published example is the one that the test server expects", () => {
  const headers = {
    ...{ host: "examplebucket.s3.amazonaws.com", range: "bytes=0-9" },
    "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "x-amz-date": "20130524T000000Z",
  };
  const request = { method: "GET", url: "/test.txt", headers };
  const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  expect(signatureOf(request, secret, "us-east-1")).toBe(
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

test("everything below a prefix is listed, page by page", async () => {
  const names = ["a/1 +&.md", "a/2<'>.md", "a/日本語 (1)!*.md", "a/b/c~.md", "a/é%41.md"];
  for (const name of [...names, "b/other.md"]) server.put(`our-docs/${name}`, name);
  const listed = await all(open().list("a/", signal));
  expect(listed.map(({ key }) => key).sort()).toEqual(names.sort());
  expect(listed[0]).toMatchObject({ sizeBytes: 9, modified: "2026-02-03T04:05:06.000Z" });
  expect(listed[0]?.etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(server.asked).toHaveLength(3);
  for (const { key } of listed) expect(await textOf(await open().get(key, 100, signal))).toBe(key);
});

test("what is put is there, and is not after its removal", async () => {
  const bucket = open();
  await bucket.put("x/報告.txt", uploadOf("some text"), signal);
  expect(await textOf(await bucket.get("x/報告.txt", 9, signal))).toBe("some text");
  expect(await bucket.head("x/報告.txt", signal)).toMatchObject({ sizeBytes: 9 });
  await bucket.remove("x/報告.txt", signal);
  await bucket.remove("x/報告.txt", signal);
  expect(await bucket.head("x/報告.txt", signal)).toBeUndefined();
  expect(await bucket.get("x/報告.txt", 9, signal)).toBeUndefined();
});

test("content other than its hash says is refused", async () => {
  const put = open().put("x", uploadOf("some text", "0".repeat(64)), signal);
  await expect(put).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  expect(server.objects.size).toBe(0);
});

test("an upload whose file fails ends, instead of waiting", async () => {
  const upload = {
    ...uploadOf("some text"),
    async *read() {
      yield Buffer.from("som");
      throw new Error("the disk");
    },
  };
  await expect(open().put("x", upload, signal)).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
  expect(server.objects.size).toBe(0);
});

test("a wrong secret is refused, with the code of the server and nothing secret", async () => {
  server.put("our-docs/a", "a");
  const get = open({ secretAccessKey: "planted-secret" }).get("a", 10, signal);
  const error = await get.then(String, (thrown: Error) => thrown.message);
  expect(error).toContain("SignatureDoesNotMatch");
  expect(error).not.toContain("planted");
});

test("more bytes than allowed are an error", async () => {
  server.put("our-docs/large", "x".repeat(1_000));
  const content = await open().get("large", 999, signal);
  await expect(textOf(content)).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
});

test("a busy server is asked again, up to three times", async () => {
  server.put("our-docs/a", "a");
  const busy = (response: Parameters<typeof refuse>[0]) => refuse(response, 503, "SlowDown");
  server.faults.push(busy, (response) => response.destroy());
  expect(await textOf(await open().get("a", 10, signal))).toBe("a");
  expect(server.asked).toHaveLength(3);
  server.faults.push(busy, busy, busy);
  await expect(open().head("a", signal)).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
});

test("an upload is repeated whole", async () => {
  server.faults.push((response) => refuse(response, 500, "InternalError"));
  await open().put("a", uploadOf("some text"), signal);
  expect(server.objects.get("our-docs/a")?.bytes.toString()).toBe("some text");
});

test("a redirect is not followed", async () => {
  const elsewhere = await startS3();
  server.faults.push((response) =>
    response.writeHead(307, { location: `${elsewhere.url}/our-docs/a` }).end(),
  );
  const get = open().get("a", 10, signal);
  await expect(get).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
  expect(elsewhere.asked).toEqual([]);
  await elsewhere.close();
});

test.each(["our-docs/..", "Our-Docs", "a", "our..docs", "our-docs@evil.example", "x#y", ""])(
  "%j is no bucket",
  (bucket) => {
    expect(() => openBucket(bucket, { region: S3_REGION })).toThrow("not the name of an S3 bucket");
  },
);

test("a list that repeats its token ends", async () => {
  const again = (response: Parameters<typeof refuse>[0]) =>
    response.end("<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>");
  server.faults.push(again, again, again);
  await expect(all(open().list("", signal))).rejects.toThrow("does not end");
  expect(server.asked).toHaveLength(2);
});

test("a body that breaks off is an error", async () => {
  server.faults.push((response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("some", () => response.destroy());
  });
  const content = await open().get("a", 1_000, signal);
  await expect(textOf(content)).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
});

test("a cancelled download ends as cancelled", async () => {
  const stop = new AbortController();
  server.faults.push((response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("some");
  });
  const content = await open().get("a", 1_000, stop.signal);
  const first = await content?.bytes.next();
  expect(Buffer.from(first?.value ?? []).toString()).toBe("some");
  stop.abort(new Error("stopped"));
  await expect(content?.bytes.next()).rejects.toThrow("stopped");
});
