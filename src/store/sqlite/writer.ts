// What the writing thread answers.
import type { Database } from "./database.ts";
import { openLeaseClock } from "./lease-clock.ts";
import { openDocumentWriter } from "./write-documents.ts";
import { openScopeWriter } from "./write-scopes.ts";
import { openTaskWriter } from "./write-tasks.ts";

export function openWriter(database: Database) {
  const tasks = openTaskWriter(database, openLeaseClock());
  return {
    ...tasks,
    ...openScopeWriter(database),
    ...openDocumentWriter(database, tasks),
  };
}

export type Writer = ReturnType<typeof openWriter>;
