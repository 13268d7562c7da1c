import { expect, test } from "vitest";
import { languageFor } from "./assets.ts";

test.each([
  [undefined, "en"],
  ["", "en"],
  ["ja", "ja"],
  ["ja-JP,ja;q=0.9,en-US;q=0.8", "ja"],
  ["en-US,en;q=0.9,ja;q=0.8", "en"],
  ["fr-FR, ja;q=0.5, en;q=0.3", "ja"],
  ["en;q=0.2, ja;q=0.9", "ja"],
  ["ja;q=0, en", "en"],
  ["*", "en"],
  [";;;,,,q=", "en"],
])("%s asks for %s", (accepted, language) => {
  expect(languageFor(accepted)).toBe(language);
});
