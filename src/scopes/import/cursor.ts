// Cursor's rules: .cursor/rules/NAME.mdc with `description`, `globs` and `alwaysApply`.
import { textField } from "./front-matter.ts";
import { readPage } from "./page.ts";
import type { Topic } from "./rules.ts";
import type { SplitOptions } from "./split.ts";
import { stemOf, toTopic } from "./topic.ts";

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
