// Cursor's rules: .cursor/rules/NAME.mdc with `description`, `globs` and `alwaysApply`.
import { textField } from "../markdown/front-matter.ts";
import { readPage } from "../markdown/page.ts";
import type { SplitOptions } from "../markdown/split.ts";
import { stemOf, toTopic } from "../markdown/topic.ts";
import type { Topic } from "./rules.ts";

export function readCursorRule(
  text: string,
  path: string,
  options: SplitOptions,
): readonly Topic[] {
  const page = readPage(text);
  const stated = textField(page.fields, "description");
  return [
    toTopic(page, {
      ...options,
      category: stemOf(path),
      owner: path,
      stated,
      appliesTo: textField(page.fields, "globs"),
    }),
  ];
}
