import { describe, expect, test } from "vitest";
import { sniff } from "./sniff.ts";

const named = (filename: string, content: string | Buffer) => sniff(Buffer.from(content), filename);

describe("a file is", () => {
  test.each([
    ["a.bin", "\n%PDF-1.7 …", "pdf"],
    ["a.pdf", "<!DOCTYPE html><svg></svg>", "html"],
    ["a.txt", "<html> is a tag", "txt"],
    ["a.html", '<?xml version="1.0"?><!-- x --><!DOCTYPE svg PUBLIC "a" "b"><svg>', "svg"],
    ["notes", "just words", "txt"],
    ["a.md", "# Head", "md"],
    ["a.ndjson", "{}", "json"],
  ] as const)("%s holding %j: %s", (filename, content, format) => {
    expect(named(filename, content)).toBe(format);
  });

  test("refused by its extension when that is none of ours", () => {
    expect(() => named("a.xyz", "words")).toThrow("Unsupported file format: .xyz. Use PDF, DOCX");
  });

  test("refused when its content is not what its name promises", () => {
    expect(() =>
      named("a.jpg", Buffer.from("\u007fELF\u0002\u0001\u0001\u0000\u0000\u0000\u0000\u0000")),
    ).toThrow("not JPG");
    expect(() => named("a.docx", "words")).toThrow("not DOCX");
  });

  test("recognised as an old or an encrypted Office file", () => {
    const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
    expect(() => named("a.doc", compound)).toThrow("Save it as DOCX");
    const locked = Buffer.concat([compound, Buffer.from("EncryptedPackage", "utf16le")]);
    expect(() => named("a.docx", locked)).toThrow("password");
  });

  test("refused when it is empty", () => {
    expect(() => named("a.pdf", "")).toThrow("empty");
  });
});
