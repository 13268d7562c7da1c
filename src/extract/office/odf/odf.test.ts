import { expect, test } from "vitest";
import { makeOdf } from "../../../../test/support/files/odf.ts";
import { readHere } from "../../../../test/support/read-here.ts";

test("numbered lists keep their numbers", async () => {
  const level = (at: number, format: string, more = "") =>
    `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
  const style = `<text:list-style style:name="L">${level(1, "1", 'style:num-suffix="." text:start-value="3"')}${level(2, "a", 'style:num-suffix=")"')}${level(3, "1", 'text:display-levels="3"')}</text:list-style>`;
  const item = (text: string, inner = "") =>
    `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`;
  const list = (items: string, name = "") => `<text:list ${name}>${items}</text:list>`;
  const body = list(
    item("Three", list(item("Inner", list(item("Deep"))))) + item("Four"),
    'text:style-name="L"',
  );
  const { text } = await readHere("a.odt", makeOdf("text", body, { automatic: style }));
  expect(text).toBe("3. Three\n  a) Inner\n    3.1.1 Deep\n4. Four");
});

test("a chart is read as the table of its data", async () => {
  const chart =
    '<doc xmlns:chart="c" xmlns:table="t" xmlns:text="x"><office:chart><chart:chart><chart:title><text:p>Stock</text:p></chart:title><table:table><table:table-row><table:table-cell/><table:table-cell><text:p>Pumps</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>May</text:p></table:table-cell><table:table-cell office:value="7.50000000001"/></table:table-row></table:table></chart:chart></office:chart></doc>';
  const body = '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>';
  const file = makeOdf("text", body, { more: { "Object 1/content.xml": chart } });
  expect((await readHere("a.odt", file)).text).toBe(
    "Stock\n\n|  | Pumps |\n| --- | --- |\n| May | 7.5 |",
  );
});

test("comments of a sheet are kept", async () => {
  const cell =
    "<table:table-cell><office:annotation><text:p>Check this.</text:p></office:annotation><text:p>7</text:p></table:table-cell>";
  const sheet = `<table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table>`;
  const { text } = await readHere("a.ods", makeOdf("spreadsheet", sheet));
  expect(text).toBe("## S\n\n7\n\n> **Comment:** Check this.");
});
