// Copilot's instructions: NAME.instructions.md with `description` and `applyTo`.
import { textField } from "../markdown/front-matter.ts";
import { readPage } from "../markdown/page.ts";
import type { SplitOptions } from "../markdown/split.ts";
import { stemOf, toTopic } from "../markdown/topic.ts";
import type { Topic } from "./rules.ts";

export function readCopilotInstructions(
  text: string,
  path: string,
  options: SplitOptions,
): readonly Topic[] {
  const page = readPage(text);
  return [
    toTopic(page, {
      ...options,
      category: stemOf(path),
      owner: path,
      stated: textField(page.fields, "description"),
      appliesTo: textField(page.fields, "applyTo"),
    }),
  ];
}
