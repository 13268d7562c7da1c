import { expect, test } from "vitest";
import { cursorLink, vscodeLink } from "./clients.ts";

const decodeUtf8 = (base64: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
const server = { command: "node", args: ["/home/ä/bin.js"] };

test("a link for Cursor holds the server's settings", () => {
  const config = new URL(cursorLink(server)).searchParams.get("config") ?? "";
  expect(JSON.parse(decodeUtf8(config))).toEqual(server);
});

test("a link for VS Code holds the name and the settings", () => {
  const [, query = ""] = vscodeLink(server).split("?");
  expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: "knowledge", ...server });
});
