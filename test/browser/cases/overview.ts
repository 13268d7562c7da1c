import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type OpenedConsole, READY } from "../../support/console.ts";

export function overviewCases(opened: OpenedConsole): void {
  test("the overview shows usage counts, and no query text is stored", async () => {
    const { page, folder, home, go } = opened();
    await go("Overview");
    const usage = page.getByRole("region", { name: "Usage" });
    await usage.getByText(/\d+ search(es)? · \d+ answers?/).waitFor();
    const answered = await (await fetch(`${home}api/usage`)).json();
    const { days } = answered as { days: readonly object[] };
    // Today, and yesterday if midnight has passed meanwhile.
    expect([1, 2]).toContain(days.length);
    for (const day of days)
      expect(Object.keys(day).sort()).toEqual(["answers", "day", "nothing", "searches"]);
    const stored = () => readFile(join(folder, "data", "usage.json"), "utf8").catch(() => "");
    await expect.poll(stored, { timeout: READY }).toMatch(/"answers":[1-9]/);
    expect(await stored()).not.toContain("anemometer");
  });
}
