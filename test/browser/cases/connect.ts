import { test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

export function connectCases(opened: OpenedConsole): void {
  test("the connect page holds real addresses, and a live call answers", async () => {
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
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByRole("region", { name: "Result" }).getByText('"unavailable"').first().waitFor();
  });
}
