// What a tool family provides besides its tools, and what the whole program provides to its front ends (protocol,
// console, command line).

import type { Principal, Right } from "../domain/call/principal.ts";
import type { KnowledgeError } from "../domain/errors.ts";
import type { Family } from "../domain/family.ts";
import type { Message } from "../domain/phrases/messages.ts";
import type { Operations } from "./operations.ts";
import type { CallContext, Tool, ToolOutput, ToolProgress } from "./tool.ts";

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export const JSON_TYPE = "application/json";
export const MARKDOWN = "text/markdown";

/** A resource with a fixed address. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly sizeBytes?: () => number | undefined;
  /** Its text. */
  read(context: CallContext): Promise<string>;
}

type ListedResource = Pick<Resource, "uri" | "name" | "title" | "mimeType"> & {
  readonly description?: string;
  readonly sizeBytes?: number;
};

/** `given` holds the other arguments, as far as the client has them. */
export type Complete = (
  prefix: string,
  context: CallContext,
  given: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** Resources by pattern, such as `knowledge://documents/{id}`. `{name}` matches one path segment. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** `cursor` is the last page's `next`; absent at first. */
  list?(
    cursor: string | undefined,
    context: CallContext,
  ): Promise<{ readonly resources: readonly ListedResource[]; readonly next?: string }>;
  /** One's text or bytes. Rejects with RESOURCE_NOT_FOUND (or the family's own not-found code). */
  read(
    variables: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<string | Uint8Array>;
  readonly complete?: Readonly<Record<string, Complete>>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly complete?: Complete;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  render(
    args: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<readonly { readonly role: "user" | "assistant"; readonly text: string }[]>;
}

/** Sent to the clients that are connected. */
export type Change = (
  | { readonly kind: "tools" | "resources" | "prompts" }
  | { readonly kind: "resource"; readonly uri: string }
) & {
  /** Only those who may read one of these scopes are notified; everybody if absent. */
  readonly scopes?: readonly string[];
};

/** One line of `doctor`. */
export interface Check {
  readonly name: string;
  run(signal: AbortSignal): Promise<CheckOutcome>;
}

export interface CheckOutcome {
  readonly state: "ok" | "warn" | "fail" | "off";
  readonly detail: Message;
  /** What to do about it. */
  readonly remedy?: Message | readonly Message[];
}

/** One tool family; toolbox.ts collects them. Everything is a value: listing it opens nothing. */
export interface ToolFamily {
  readonly name: Family;
  /** One sentence for the server's instructions: what this family is for. */
  readonly instructions: string;
  /** The same if only the tools that read are offered. */
  readonly readInstructions?: string;
  /** Its source and state, for the log at start-up. Opens nothing. */
  readonly source?: () => string;
  readonly tools: readonly Tool[];
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ResourceTemplate[];
  readonly prompts?: readonly Prompt[];
  readonly checks?: readonly Check[];
  readonly skills?: Skills;
  /** For `tools/cancel`: true when there was such a task and it is now stopped. */
  cancelTask?(taskId: string, context: CallContext): Promise<boolean>;
  /** Undefined if this family has no such task. */
  task?(taskId: string, who: Principal): Promise<TaskView | undefined>;
}

/** A folder of files that teaches an agent something: its page `SKILL.md` first, then what the page refers to. */
export interface Skill {
  /** Of its page. */
  readonly uri: string;
  /** As the page has it. */
  readonly frontmatter: { readonly name: string; readonly description: string };
  readonly files: readonly ResourceText[];
}

export interface Skills {
  /** `cursor` is the last page's `next`; absent at first. */
  list(
    cursor: string | undefined,
    context: CallContext,
  ): Promise<{ readonly skills: readonly Skill[]; readonly next?: string }>;
  /** The skill that the file at the address belongs to, if there is one. */
  find(uri: string, context: CallContext): Promise<Skill | undefined>;
}

/** Work that a call started and that continues without it, even if this process ends. */
export interface TaskView {
  readonly id: string;
  readonly status: "working" | "ended" | "cancelled";
  readonly message: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** It is kept for at least this long after it was created. */
  readonly keptMs: number;
  /** What the call would have returned if it had waited; set once the work has ended. */
  readonly output?: ToolOutput;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ToolProgress) => void;
}

/** The interface that the front ends see. */
export interface Toolbox {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  readonly checks: readonly Check[];
  /** From the one family that has any. */
  readonly skills: Skills | undefined;
  /** As the owner: for the command line. */
  readonly operations: Operations;
  /** As an authenticated caller: for the console. */
  operationsFor(who: Principal): Operations;
  /** Why a caller is refused; undefined if it is allowed. Nobody else compares rights. */
  refusal(who: Principal, right: Right): KnowledgeError | undefined;
  tool(name: string): Tool | undefined;
  /** Whether the caller has the right that the tool needs. */
  mayCall(who: Principal, tool: Tool): boolean;
  /** Runs a tool. Never rejects for a tool's failure: that is an output with `isError`. */
  run(tool: Tool, args: unknown, context: CallContext): Promise<ToolOutput>;
  /** `run` by name, as the owner: for the command line. */
  call(name: string, args: unknown, options: CallOptions): Promise<ToolOutput>;
  /** Rejects if the caller lacks the right, or the one that the response `needs` besides. */
  cancelTask(taskId: string, context: CallContext, needs?: Right): Promise<boolean>;
  /** Leaves the audit line of a call to a tool that changes something and that this server does not offer. */
  recordUnoffered(name: string, args: unknown, who: Principal): Promise<void>;
  /** Undefined where there is no such task. Rejects when the caller may not read. */
  task(taskId: string, who: Principal): Promise<TaskView | undefined>;
  /** The source and state of each enabled family, for the log at start-up. */
  sources(): Readonly<Record<string, string>>;
  /** Lines of the audit log that could not be written since the start. */
  lostAuditLines(): number;
  /** Changes that the caller may know of. Call the returned function to stop. */
  onChange(who: Principal, listener: (change: Change) => void): () => void;
}
