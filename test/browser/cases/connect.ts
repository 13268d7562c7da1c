import { expect, test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";
import { connectTo } from "../../support/spawned.ts";

export function connectCases(opened: OpenedConsole): void {
  test("the connect page shows real addresses, and a live call works", async () => {
    const { page, server, go } = opened();
    await go("Connect");
    for (const client of [
      "Claude Desktop",
      "Claude Code",
      "Windsurf",
      "VS Code",
      "Codex",
      "Kiro",
    ]) {
      await page.getByRole("tab", { name: client }).click();
      await page
        .getByRole("region", { name: "As a local process" })
        .getByText("knowledge-server")
        .first()
        .waitFor();
    }
    await page.getByRole("region", { name: "Over HTTP" }).getByText(server.url).waitFor();
    await page.getByLabel("Tool").selectOption("knowledge-status");
    await page.getByRole("button", { name: "Call" }).click();
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText('"document_count"').first().waitFor();
  });

  test("a client is added with one click, and seen once it has connected", async () => {
    const { page, server } = opened();
    await page.getByRole("tab", { name: "Cursor" }).click();
    const links = page.getByRole("link", { name: "Add to Cursor" });
    expect(await links.first().getAttribute("href")).toMatch(/^cursor:\/\//);
    await page.getByText("No client has connected").waitFor();
    const client = await connectTo("http", server.url);
    await page.getByRole("region", { name: "Connected clients" }).getByText("e2e").waitFor();
    await client.close();
  });
}
