// All texts of the console, each in English and Japanese, one file per area in words/. The server's messages are in
// domain/phrases/.
import type { TaskState } from "../../../tools/documents/contract.ts";
import { ACCESS } from "./words/access.ts";
import { CHECK } from "./words/check.ts";
import { CONNECT } from "./words/connect.ts";
import { DOCUMENT } from "./words/document.ts";
import { DOCUMENTS } from "./words/documents.ts";
import { OVERVIEW } from "./words/overview.ts";
import { SCOPES } from "./words/scopes.ts";
import { SEARCH } from "./words/search.ts";
import { SETTINGS } from "./words/settings.ts";
import { SHELL } from "./words/shell.ts";
import { SOURCES } from "./words/sources.ts";
import { UPLOADS } from "./words/uploads.ts";

type InBoth = readonly [en: string, ja: string];

const AREAS = [
  ACCESS,
  CHECK,
  CONNECT,
  DOCUMENT,
  DOCUMENTS,
  OVERVIEW,
  SCOPES,
  SEARCH,
  SETTINGS,
  SHELL,
  SOURCES,
  UPLOADS,
] as const;
export const KEYS = AREAS.flatMap((area: Readonly<Record<string, InBoth>>) => Object.keys(area));

type KeysOf<Area> = Area extends object ? keyof Area & string : never;
export type MessageKey = KeysOf<(typeof AREAS)[number]>;
export type Language = "en" | "ja";

const TEXTS: Readonly<Record<MessageKey, InBoth>> = Object.assign({}, ...AREAS);

export function textOf(key: MessageKey, language: Language): string {
  return TEXTS[key][language === "en" ? 0 : 1];
}

export const TASK_WORD: Readonly<Record<TaskState, MessageKey>> = {
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failedStatus",
  cancelled: "cancelled",
};
