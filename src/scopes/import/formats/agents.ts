// AGENTS.md and CLAUDE.md: each second-level heading becomes a category, and the sections inside it become its keywords.
import { describe } from "../markdown/describe.ts";
import { splitList } from "../markdown/list.ts";
import { type Page, readPage, type Section } from "../markdown/page.ts";
import { slug } from "../markdown/slug.ts";
import {
  collectCategory,
  collectText,
  openCollector,
  type SplitOptions,
} from "../markdown/split.ts";
import { isCoveredBy } from "../markdown/topic.ts";
import type { Topic } from "./rules.ts";

export interface AgentsFile {
  readonly topics: readonly Topic[];
  /** Describes the scope that the file's folder becomes. */
  readonly description: string;
}

export function readAgents(text: string, folder: string, options: SplitOptions): AgentsFile {
  const page = readPage(text);
  const topics = page.sections.map((section) => sectionTopic(section, page, folder, options));
  const description = describe({ lead: page.lead, headings: [] });
  const lead = leadTopic(page, folder, description);
  return { topics: lead === undefined ? topics : [lead, ...topics], description };
}

function sectionTopic(section: Section, page: Page, owner: string, options: SplitOptions): Topic {
  const into = openCollector(page.definitions);
  collectCategory(section, into, options);
  const labels = splitList(section.body).items.map((item) => item.label);
  const headings = [...section.children.map((child) => child.heading), ...labels];
  const isLead = headings.some((heading) => heading !== "");
  const description = describe({ lead: isLead ? section.body : "", headings });
  return { category: slug(section.heading) || "rules", owner, description, rules: into.rules };
}

/** Collects rules without a heading. A single introductory paragraph only describes the folder. */
function leadTopic(page: Page, owner: string, description: string): Topic | undefined {
  if (page.sections.length > 0 && isCoveredBy(page.lead, description)) return undefined;
  const into = openCollector(page.definitions);
  collectText(page.lead, { keyword: "general", line: page.leadLine }, into);
  if (into.rules.length === 0) return undefined;
  return { category: "general", owner, description: "", rules: into.rules };
}
