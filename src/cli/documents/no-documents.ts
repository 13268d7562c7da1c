import { KnowledgeError } from "../../domain/errors.ts";

/** The tool's message names another tool; a person needs the command. */
export function noDocuments(): KnowledgeError {
  return new KnowledgeError(
    "EMPTY_KNOWLEDGE_BASE",
    "The knowledge base is empty. Add files to it: knowledge-server add PATH…",
  );
}
