// Copilot's instructions: NAME.instructions.md with `description` and `applyTo`.
import { textField } from "./front-matter.ts";
import { readPage } from "./page.ts";
import type { Topic } from "./rules.ts";
import type { SplitOptions } from "./split.ts";
import { stemOf, toTopic } from "./topic.ts";

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
