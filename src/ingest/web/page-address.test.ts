import { expect, test } from "vitest";
import { toPageAddress, toRedirect } from "./page-address.ts";

test("a redirect never leads from https to http", () => {
  const from = toPageAddress("https://example.com/a");
  expect(() => toRedirect("http://example.com/b", from)).toThrow(/https to http/);
  expect(toRedirect("//example.org/b", from).url.href).toBe("https://example.org/b");
});

test.each([
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://2130706433/", "127.0.0.1"],
  ["http://[0:0:0:0:0:ffff:127.0.0.1]/", "::ffff:7f00:1"],
  ["http://１２７.0.0.1/", "127.0.0.1"],
])("%s is read as %s", (url, host) => {
  expect(toPageAddress(url).host).toBe(host);
});
