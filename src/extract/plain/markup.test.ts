// Other languages for marking up text: headings, lists and words survive, commands do not.
import { expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";

test("LaTeX has headings, lists and words, no commands", async () => {
  const source = `\\documentclass{article}
\\title{The lighthouse}
\\begin{document}
\\maketitle
\\section{Light} % nobody reads this
The \\textbf{lamp} is lit at \\emph{dusk}, at 50\\% strength.
\\begin{itemize}
\\item Trim the wick
\\item Fill the oil
\\end{itemize}
\\begin{tabular}{ll}
Adult & 12.50 \\\\
\\end{tabular}
\\end{document}`;
  const { text } = await readHere("paper.tex", source);
  expect(text).toContain("# The lighthouse");
  expect(text).toContain("## Light");
  expect(text).toContain("The lamp is lit at dusk, at 50% strength.");
  expect(text).toContain("- Trim the wick");
  expect(text).toContain("Adult | 12.50");
  expect(text).not.toMatch(/\\|nobody|documentclass|tabular/);
});

test("the accents of LaTeX are on their letters", async () => {
  const source = `\\title{Caf\\'e}\\author{Erd\\H{o}s}\\begin{document}
\\section{Gr\\"o{\\ss}e}
Na\\"{\\i}ve \\v{S}koda, gar\\c{c}on, \\AA ngstr\\"om, \\\`a la carte, K\\o benhavn, \\L{}\\'od\\'z, \\~nandu. $\\hat{x} = \\'a$
Line\\\\'quoted' \\verb|x|
\\end{document}`;
  const { text } = await readHere("paper.tex", source);
  expect(text).toContain("# Café");
  expect(text).toContain("Erdős");
  expect(text).toContain("Größe");
  expect(text).toContain(
    "Naïve Škoda, garçon, Ångström, à la carte, København, Łódź, ñandu. $\\hat{x} = \\'a$",
  );
  expect(text).toContain("'quoted'");
});

test("code and formulas keep every character, and authors and captions their words", async () => {
  const code = 'printf("%d & %s\\n", lamp && oil);\n// [lit]';
  const latex = `\\documentclass{article}
\\author{Ann Keeper\\thanks{Harbour} \\and Bo Rower}
\\date{\\today}
\\begin{document}
It costs \\$5, so $\\alpha + \\beta = \\gamma$ and \\[ \\frac{a}{b} \\] hold, for \\$6.
\\begin{align*}
x &= \\sum_{n=0} n
\\end{align*}
\\begin{lstlisting}[language=C]
${code}
\\end{lstlisting}
After \\emph{it}.
\\end{document}`;
  const { text } = await readHere("paper.tex", latex);
  expect(text).toContain("Ann KeeperHarbour, Bo Rower");
  expect(text).toContain(
    "It costs $5, so $\\alpha + \\beta = \\gamma$ and \\[ \\frac{a}{b} \\] hold, for $6.",
  );
  expect(text).toContain("x &= \\sum_{n=0} n");
  expect(text).toContain(`\`\`\`\n${code}\n\`\`\`\nAfter it.`);
  const org = `#+AUTHOR: Ann\n#+CAPTION: Lamps\n#+BEGIN_SRC c\n${code}\n#+END_SRC\n`;
  expect((await readHere("a.org", org)).text).toBe(`Ann\n\nLamps\n\n\`\`\`\n${code}\n\`\`\``);
  const adoc = `= Light\n:author: Ann\n\n----\n${code}\n----\n`;
  expect((await readHere("a.adoc", adoc)).text).toBe(`# Light\n\nAnn\n\n\`\`\`\n${code}\n\`\`\``);
});

test("underlined lines are the headings of reStructuredText", async () => {
  const source = "Lighthouse\n==========\n\nLamp\n----\n\nSee `the rules <http://x.org>`_.\n";
  const { text, title } = await readHere("a.rst", source);
  expect(title).toBe("Lighthouse");
  expect(text).toContain("## Lamp");
  expect(text).toContain("See the rules.");
});

test("Org's stars and AsciiDoc's equals signs are headings", async () => {
  const org =
    "#+TITLE: Light\n* Lamp\nSee [[http://x.org][the rules]].\n#+BEGIN_SRC sh\nls\n#+END_SRC\n";
  expect((await readHere("a.org", org)).text).toBe(
    "# Light\n\n## Lamp\n\nSee the rules.\n```\nls\n```",
  );
  const adoc = "= Light\n:toc:\n\n== Lamp\n\nSee https://x.org[the rules].\n";
  expect((await readHere("a.adoc", adoc)).text).toBe("# Light\n\n## Lamp\n\nSee the rules.");
});

test("subtitles are what is said", async () => {
  const source =
    "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Ann>The lamp is lit.\n\n2\n00:00:05.000 --> 00:00:07.000\nGood.\n";
  expect((await readHere("a.vtt", source)).text).toBe("The lamp is lit.\n\nGood.");
});

test("events and address cards are fields under their titles", async () => {
  const event =
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Harvest\nDTSTART;TZID=Asia/Tokyo:20260302T090000\nDESCRIPTION:Bring baskets\\, and\n  gloves\nEND:VEVENT\nEND:VCALENDAR\n";
  const { text } = await readHere("a.ics", event);
  expect(text).toContain("## Harvest");
  expect(text).toContain("dtstart: 20260302T090000");
  expect(text).toContain("description: Bring baskets, and gloves");
});
