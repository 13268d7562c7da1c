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

  test("refused by an unsupported extension", () => {
    expect(() => named("a.xyz", "words")).toThrow("Unsupported file format: .xyz. Use PDF, DOCX");
  });

  test("refused when its content is not what its name promises", () => {
    expect(() => named("a.jpg", Buffer.from("0001020304050607", "hex"))).toThrow("not JPG");
    expect(() => named("a.docx", "words")).toThrow("not DOCX");
  });

  test.each([
    ["a program", "\u007fELF\u0002\u0001\u0001"],
    ["a Windows program", "MZ\u0090\u0000\u0003"],
    ["an archive", "7z\u00bc\u00af\u0027\u001c"],
    ["a film", "RIFF\u0000\u0001\u0002\u0003"],
  ])("of no supported format when it is %s, whatever its name", (_what, head) => {
    const bytes = Buffer.from(`${head}${"\u0000\u0001\u0002".repeat(20)}`, "latin1");
    for (const name of ["a.jpg", "a.pdf", "a.txt"]) {
      const message = expect.stringContaining(
        `Unsupported file format: ${name.slice(1)} by name, but not by content. Use PDF`,
      );
      expect(() => named(name, bytes)).toThrow(
        expect.objectContaining({ code: "UNSUPPORTED_FORMAT", message }),
      );
    }
  });

  test("recognised as an old Office file or a mail, whatever its name", () => {
    const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
    expect(named("a.doc", compound)).toBe("compound");
    expect(named("a.docx", compound)).toBe("compound");
  });

  test("refused when it is empty", () => {
    expect(() => named("a.pdf", "")).toThrow("empty");
  });
});
