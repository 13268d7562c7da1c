import { KnowledgeError } from "../../domain/errors.ts";

/** A tool's text names another tool where a person needs a command. */
export function emptyBase(): KnowledgeError {
  return new KnowledgeError(
    "EMPTY_KNOWLEDGE_BASE",
    "The knowledge base is empty. Add files to it: knowledge-server add PATH…",
  );
}
