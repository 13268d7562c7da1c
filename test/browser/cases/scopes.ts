import { test } from "vitest";
import type { OpenedConsole } from "../../support/console.ts";

export function scopesCases(opened: OpenedConsole): void {
  test("a scope is created, inherits, overrides a rule, and shows which rule applies", async () => {
    const { page, go } = opened();
    await go("Scopes");
    const newScope = async (id: string, tier: string, parent: string) => {
      await page.getByRole("button", { name: "New scope" }).click();
      const form = page.getByRole("dialog");
      await form.getByLabel("Scope id").fill(id);
      await form.getByLabel("Tier").selectOption(tier);
      await form.getByLabel("Parent").selectOption(parent);
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: id }).waitFor();
    };
    await newScope("general", "GENERAL", "");
    await page.getByRole("button", { name: "New rule" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Category", { exact: true }).fill("git");
    await form.getByLabel("When the category matters").fill("Before any commit.");
    await form.getByLabel("Keyword").fill("commit");
    await form.getByLabel("Content").fill("Write in the present tense.");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Write in the present tense.").waitFor();
    await page.getByText("Before any commit.").waitFor();
    await newScope("checkout-api", "PROJECT", "general");
    await page.getByRole("button", { name: "Override here: commit" }).click();
    await page.getByRole("dialog").getByLabel("Content").fill("Name the ticket.");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Name the ticket.").waitFor();
    await page.getByText("Overrides general (GENERAL)").click();
    await page.getByText("Write in the present tense.").waitFor();
  });
}
