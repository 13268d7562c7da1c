// Builds the view that hosts show inside a conversation: one HTML file that needs nothing else, under a policy that
// allows its own script and style by their hashes and no request.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const pages = new URL("../src/console/pages/inline/", import.meta.url);
const target = new URL("../dist/inline/", import.meta.url);

export async function buildInlineView(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("inline.tsx", pages))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
  });
  const script = outputFiles[0]?.text ?? "";
  const style = await readFile(new URL("inline.css", pages), "utf8");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Knowledge</title><style>${style}</style></head><body><div id="view"></div><script>${script}</script></body></html>
`;
  await mkdir(target, { recursive: true });
  await writeFile(new URL("view.html", target), html);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
