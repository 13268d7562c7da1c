// A file as one category: its sections are the keywords, its lead says what it is about.

import { toPlain } from "../formats/plain.ts";
import type { Topic } from "../formats/rules.ts";
import { describe } from "./describe.ts";
import { isLabelled, splitList } from "./list.ts";
import type { Page } from "./page.ts";
import { slug } from "./slug.ts";
import {
  collectBullets,
  collectSection,
  collectText,
  openCollector,
  type SplitOptions,
} from "./split.ts";

export interface TopicOptions extends SplitOptions {
  readonly category: string;
  readonly owner: string;
  readonly stated?: string;
  readonly appliesTo?: string;
}

export function toTopic(page: Page, options: TopicOptions): Topic {
  const { category, owner } = options;
  const into = openCollector(page.definitions);
  const description = describe({
    ...(options.stated === undefined ? {} : { stated: options.stated }),
    ...(options.appliesTo === undefined ? {} : { appliesTo: options.appliesTo }),
    lead: page.sections.length > 0 ? page.lead : "",
    headings: page.sections.map((section) => section.heading),
  });
  collectLead(page, options, description, into);
  for (const section of page.sections) collectSection(section, into, options);
  return { category, owner, description, rules: into.rules };
}

function collectLead(
  page: Page,
  { category, bullets }: TopicOptions,
  description: string,
  into: ReturnType<typeof openCollector>,
): void {
  const text = page.lead;
  const lead = { heading: category, level: 1, line: page.leadLine, body: text, children: [] };
  const list = splitList(text);
  if (bullets || (page.sections.length === 0 && isLabelled(list))) {
    if (collectBullets(lead, category, into)) return;
  }
  // A lead that only repeats the description would be read twice.
  if (page.sections.length > 0 && isCoveredBy(text, description)) return;
  collectText(text, { keyword: category, line: page.leadLine }, into);
}

/** True if the text is one short paragraph and the description contains all of it. */
export function isCoveredBy(text: string, description: string): boolean {
  return text.length < 1_000 && text !== "" && description.startsWith(toPlain(text));
}

/** The file's name without folder, extension and the suffixes that collections append. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/(?:\.instructions)?\.(?:mdc|md|markdown)$/i, "");
  // One well-known collection appends this to every file name and cuts the name at 50 characters.
  return slug(stem.replace(/-cursorru.*$/, "")) || "rules";
}
