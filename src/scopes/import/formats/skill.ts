// A skill: SKILL.md says when to use it and how; the Markdown files next to it are its reference.
import { COMFORTABLE_CONTENT } from "../../author/check.ts";
import { textField } from "../markdown/front-matter.ts";
import { type Page, readPage, render } from "../markdown/page.ts";
import { slug, words } from "../markdown/slug.ts";
import {
  collectSection,
  collectText,
  openCollector,
  type SplitOptions,
} from "../markdown/split.ts";
import { toTopic } from "../markdown/topic.ts";
import type { Topic } from "./rules.ts";

export function readSkill(text: string, path: string, options: SplitOptions): readonly Topic[] {
  const page = readPage(text);
  const folder = path.split("/").at(-2) ?? "";
  const category = slug(textField(page.fields, "name")) || slug(folder) || "skill";
  return [
    toTopic(page, {
      ...options,
      category,
      owner: folderOf(path),
      stated: textField(page.fields, "description"),
    }),
  ];
}

/** `path` is in the folder of the skill whose topic is `of`. */
export function readSkillReference(text: string, path: string, of: Topic): readonly Topic[] {
  const page = readPage(text);
  const inside = path.slice(of.owner.length).replace(/\.\w+$/, "");
  const name = slug(inside.replace(/^\/?(?:references?|docs)\//, ""));
  const into = openCollector(page.definitions);
  const whole = wholeOf(page);
  if (whole.length <= COMFORTABLE_CONTENT) {
    collectText(whole, { keyword: name, line: page.leadLine }, into);
  } else {
    collectText(page.lead, { keyword: name, line: page.leadLine }, into);
    for (const section of page.sections) {
      const heading = `${name} ${words(section.heading).join(" ")}`;
      collectSection({ ...section, heading }, into, {
        bullets: false,
      });
    }
  }
  return [{ category: of.category, owner: of.owner, description: "", rules: into.rules }];
}

function wholeOf({ lead, sections }: Page): string {
  return render({ heading: "", level: 1, line: 1, body: lead, children: sections });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
