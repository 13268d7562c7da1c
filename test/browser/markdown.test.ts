// Documents as people read them, in a real browser: Markdown rendered, cleaned, and marked at the cited place.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTILE_MARKDOWN } from "../fixtures/hostile-markdown.ts";
import { openBrowser, type Visit, visit } from "../support/browser.ts";
import { connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const browser = await openBrowser();

const NOTES = `# Notes on **Tokyo**

The ferry leaves at *noon* from pier 9.

| City | People |
| --- | ---: |
| Tokyo | 13,960,000 |

\`\`\`ts
// a comment
export const answer = 42;
\`\`\`
`;

const MORE_NOTES = {
  "keeper.md": "# Keeper\n\nThe lighthouse **keeper** meets the ferry.\n",
  "tower.md": "# Tower\n\nThe lighthouse *tower* is seen by people on the ferry.\n",
};

/** Nothing but these may come out of any text. */
const INERT =
  "p,br,hr,strong,em,b,i,u,s,del,ins,small,sub,sup,kbd,code,samp,var,abbr,q,cite,pre,blockquote,ul,ol,li,dl,dt,dd," +
  "table,caption,thead,tbody,tfoot,tr,th,td,span,div,a,details,summary,ruby,rt,rp,mark";

describe.skipIf(!browser)("Markdown", () => {
  let folder: string;
  let server: HttpServer;
  let seen: Visit;
  let page: Page;
  let ids: Record<"notes" | "hostile", string>;

  beforeAll(async () => {
    folder = tempFolder("markdown");
    await writeFile(join(folder, "notes.md"), NOTES);
    await writeFile(join(folder, "hostile.md"), HOSTILE_MARKDOWN.join("\n\n"));
    server = await startHttp({ dataDir: join(folder, "data"), root: folder });
    const client = await connectTo("http", server.url);
    const add = async (name: string) => {
      const added = await client.call("knowledge-add", {
        file_path: join(folder, name),
        async: false,
      });
      return String(added["document_id"]);
    };
    ids = { notes: await add("notes.md"), hostile: await add("hostile.md") };
    for (const [name, text] of Object.entries(MORE_NOTES)) {
      await writeFile(join(folder, name), text);
      await add(name);
    }
    await client.close();
    seen = await visit(browser as Browser, server.url.replace("/mcp", "/"));
    page = seen.page;
    await page.addInitScript("globalThis.attacks = 0; globalThis.pwned = () => { attacks += 1 }");
  });
  afterAll(async () => {
    await seen?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (id: string, query = "") => {
    await page.goto("about:blank");
    await page.goto(`${server.url.replace("/mcp", "/")}documents/${id}${query}`);
    await page.locator(".md").first().waitFor();
  };

  test("headings, emphasis, tables and code look like what they are", async () => {
    await open(ids.notes);
    await page.getByRole("heading", { name: "Notes on Tokyo" }).locator("strong").waitFor();
    await page.getByRole("columnheader", { name: "People" }).waitFor();
    await page.getByRole("cell", { name: "13,960,000" }).waitFor();
    await page.locator("pre .code-comment", { hasText: "a comment" }).waitFor();
    await page.locator("pre .code-keyword", { hasText: "export" }).waitFor();
    expect(await page.locator(".md").first().textContent()).not.toMatch(/\*\*|\| ---|```/);
  });

  test("a cited span is marked in the rendered text, to the letter", async () => {
    const cited = "leaves at *noon* from";
    const start = NOTES.indexOf(cited);
    await open(ids.notes, `?span=${start}-${start + cited.length}`);
    const marks = page.locator("mark.cited");
    await marks.first().waitFor();
    await expect
      .poll(async () => (await marks.allTextContents()).join(""))
      .toBe("leaves at noon from");
  });

  test("a toggle shows the source with the same place marked, and the choice is remembered", async () => {
    await page.getByRole("button", { name: "Source text" }).click();
    await page.locator(".md-source", { hasText: "| --- | ---: |" }).waitFor();
    await page.locator("mark.cited", { hasText: "leaves at *noon* from" }).waitFor();
    await page.reload();
    await page.locator(".md-source", { hasText: "# Notes on **Tokyo**" }).waitFor();
    await page.getByRole("button", { name: "Source text" }).click();
    await page.getByRole("columnheader", { name: "City" }).waitFor();
  });

  test("several texts on one page are all rendered", async () => {
    await page.goto(`${server.url.replace("/mcp", "/")}search?q=ferry+people+lighthouse`);
    await page.locator(".results").getByRole("columnheader", { name: "People" }).waitFor();
    await page.locator(".results .md strong", { hasText: "keeper" }).waitFor();
    await page.locator(".results .md em", { hasText: "tower" }).waitFor();
    await expect.poll(() => page.locator(".results .md").count()).toBeGreaterThanOrEqual(3);
    await expect.poll(() => page.locator(".results .md-source").count()).toBe(0);
  });

  test("no blank line ends a text", async () => {
    const asked = encodeURIComponent("What does the lighthouse keeper meet?");
    await page.goto(`${server.url.replace("/mcp", "/")}search?q=${asked}`);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator(".sources .md").first().waitFor();
    const below = `[...document.querySelectorAll(".md")].map((text) => {
      const last = text.lastElementChild;
      if (last === null) return "not yet";
      const space = text.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
      return [getComputedStyle(last).marginBottom, Math.round(space)].join();
    })`;
    await expect
      .poll(async () => new Set((await page.evaluate(below)) as string[]))
      .toEqual(new Set(["0px,0"]));
  });

  test("hostile text runs nothing, fetches nothing and imitates no element of the page", async () => {
    await open(ids.hostile);
    const texts = page.locator(".md");
    await texts.first().waitFor();
    const alien = await texts.evaluateAll(
      (roots, inert) =>
        roots.flatMap((root) =>
          [...root.querySelectorAll("*")].flatMap((element) => [
            ...(element.matches(inert) ? [] : [element.outerHTML]),
            ...[...element.attributes]
              .filter(({ name }) => /^on|^style$|^id$|^name$|^src/.test(name))
              .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
          ]),
        ),
      INERT,
    );
    expect(alien).toEqual([]);
    for (const href of await texts
      .locator("a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))) {
      expect(href).toMatch(/^(?:https?:\/\/|mailto:)/);
    }
    for (const link of await texts.locator("a").all()) await link.hover();
    expect(await page.evaluate("globalThis.attacks")).toBe(0);
    expect(await page.locator("#content").count()).toBe(1);
  });

  test("there are no script errors, policy violations or requests to other hosts", () => {
    expect(seen.troubles).toEqual([]);
  });
});
