import { expect, test } from "vitest";
import { FORMATS } from "../../domain/document.ts";
import { formatOfName } from "../../domain/format-name.ts";
import { EXTENSIONS_BY_TYPE, pageName } from "./page-name.ts";

/** Servers send these as plain text; the format comes from the address's extension. */
const WITHOUT_TYPE: readonly string[] = ["log", "code"];

test("every format can be fetched by its media type", () => {
  const extensions = [...EXTENSIONS_BY_TYPE.values()];
  const fetched = new Set<string | undefined>(extensions.map((each) => formatOfName(`x.${each}`)));
  const missing = FORMATS.filter((format) => !fetched.has(format));
  expect(missing).toEqual(WITHOUT_TYPE);
});

test.each([
  ["https://example.com/report", "application/pdf; charset=binary", "report.pdf"],
  ["https://example.com/", "text/html", "example.com.html"],
  ["https://example.com/server.log", "text/plain", "server.log"],
  ["https://example.com/main.rs", "application/octet-stream", "main.rs"],
  ["https://example.com/page.php", "text/html", "page.php.html"],
  ["https://example.com/a.htm", "text/html", "a.htm"],
])("%s of type %s is named %s", (url, type, name) => {
  expect(pageName(new URL(url), type)).toBe(name);
});

test("another type is refused, and its short name shown", () => {
  const fetch = () => pageName(new URL("https://example.com/film"), "video/mp4");
  expect(fetch).toThrow(/^Unsupported file format: \.mp4\./);
});
