import { expect, test } from "vitest";
import { readAgents, readGuide } from "../formats/markdown-rules.ts";
import { describe } from "./describe.ts";

const agents = (text: string) =>
  readAgents(text, "").topics.map(({ category, description }) => [category, description]);
const guide = (text: string) => readGuide(text, "sql.md", "").description;

test.each([
  ["a paragraph that is the rule", "## Testing\n\nRun everything before a commit.\n"],
  ["a list of rules", "## Testing\n\n- Run everything.\n- Fix what fails.\n"],
  ["rules that a sentence announces", "## Testing\n\nAlways:\n\n- Run everything.\n"],
])("a category of AGENTS.md does not repeat %s", (_, text) => {
  expect(agents(text)).toEqual([["testing", ""]]);
});

test("rules under no heading describe their folder, not themselves", () => {
  const read = readAgents("Be kind to people.\n", "");
  expect(read.description).toBe("Be kind to people.");
  expect(read.topics[0]).toMatchObject({ category: "general", description: "" });
});

test("a lead before named rules describes them, with their names", () => {
  expect(
    agents("## Testing\n\nHow we test.\n\n### Unit\n\nFast.\n\n### Load\n\nNightly.\n"),
  ).toEqual([["testing", "How we test. Covers: Unit, Load."]]);
});

test("without a lead the names of the rules are the description", () => {
  expect(agents("## Testing\n\n### Unit\n\nFast.\n\n### Load\n\nNightly.\n")).toEqual([
    ["testing", "Covers: Unit, Load."],
  ]);
});

test("a guide's first section is no description of the guide", () => {
  expect(guide("# SQL\n\nUpper case.\n")).toBe("");
  expect(guide("# SQL\n\n## Case\n\nUpper case.\n")).toBe("Covers: Case.");
  expect(guide("# SQL\n\n- Upper case.\n\n## Joins\n\nBy name.\n")).toBe("Covers: Joins.");
});

test("the author's description is used unchanged", () => {
  const hints = { stated: "Rust *conventions*", lead: "Other words.", headings: ["Errors"] };
  expect(describe({ ...hints, appliesTo: "**/*.rs" })).toBe(
    "Rust conventions. Applies to **/*.rs.",
  );
});
