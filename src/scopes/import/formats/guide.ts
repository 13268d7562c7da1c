// A tree of Markdown guides: a folder's README is a category; so is every other file that is too large to be a keyword
// of its folder's category.
import { COMFORTABLE_CONTENT } from "../../author/check.ts";
import { textField } from "../markdown/front-matter.ts";
import { type Page, readPage, render } from "../markdown/page.ts";
import { slug } from "../markdown/slug.ts";
import { collectText, openCollector, type SplitOptions } from "../markdown/split.ts";
import { stemOf, toTopic } from "../markdown/topic.ts";
import type { Topic } from "./rules.ts";

export interface GuideOptions extends SplitOptions {
  /** The nearest folder above the file and below the root that has a README; "" if there is no such folder. */
  readonly guideFolder: string;
}

const README = /(?:^|\/)(?:readme|index)\.(?:md|markdown)$/i;

export function isReadme(path: string): boolean {
  return README.test(path);
}

export function readGuide(text: string, path: string, options: GuideOptions): readonly Topic[] {
  const page = readPage(text);
  const stated = textField(page.fields, "description");
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const { guideFolder, bullets } = options;
  const made = (category: string, owner: string) => [
    toTopic(page, { category, owner, stated, bullets }),
  ];
  if (isReadme(path)) {
    const own = slug(folder.slice(folder.lastIndexOf("/") + 1));
    return made(own || slug(page.title) || "guide", folder || path);
  }
  if (guideFolder === "") return made(stemOf(path), path);
  const category = slug(guideFolder.slice(guideFolder.lastIndexOf("/") + 1)) || "guide";
  const whole = wholeOf(page);
  if (whole.length > COMFORTABLE_CONTENT) return made(slug(`${category} ${stemOf(path)}`), path);
  const into = openCollector(page.definitions);
  collectText(whole, { keyword: stemOf(path), line: page.leadLine }, into);
  return [{ category, owner: guideFolder, description: "", rules: into.rules }];
}

function wholeOf({ lead, sections }: Page): string {
  return render({ heading: "", level: 1, line: 1, body: lead, children: sections });
}
