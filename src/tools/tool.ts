// A tool is a value: what the protocol shows of it, and a short handler.
import type { z } from "zod";
import type { Sample } from "../answer/answer.ts";
import type { Principal } from "../domain/call/principal.ts";
import type { Trace } from "../domain/call/trace.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Family } from "../domain/family.ts";
import type { Message } from "../domain/phrases/messages.ts";
import type { Log } from "../observe/log.ts";
import type { Contract, Input, Success, ToolOutput } from "./contract.ts";
import { TRANSLATED } from "./translated-schemas.ts";

/** Annotations and the needed right are derived from it. `open` reads outside this server (Bedrock). */
export type Effect = "read" | "open" | "write" | "destroy";

export type { ToolOutput } from "./contract.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ToolProgress {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
  /** The message as codes, for people who read another language. */
  readonly steps?: readonly Message[];
}

/** What the connection provides to a running call. */
export interface CallContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The call's id in the caller's tracing. */
  readonly trace?: Trace;
  /** Reports progress to the caller; does nothing if none was requested. */
  readonly progress: (progress: ToolProgress) => void;
  /** Reports to the connection that started an async task, with the task's id as token, for as long as it is open. */
  readonly taskProgress: (taskId: string, progress: ToolProgress) => void;
  /** Asks the client's own model, where the client offers sampling. */
  readonly sample?: Sample;
  /** Asks the user through the client, where the client can; false when they did not agree. */
  readonly confirm?: (message: string, signal: AbortSignal) => Promise<boolean>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly family: Family;
  readonly effect: Effect;
  /** True when calling again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** What it writes may take the place of something that is then lost: clients ask before such a call. */
  readonly replaces?: boolean;
  /** Asked with `async: true` it returns a `task_id` at once, which `Toolbox.task` follows. */
  readonly startsTask?: true;
  /** Whether a call with these arguments changes nothing, so that it leaves no audit line. */
  readonly onlyReads?: (args: unknown) => boolean;
  /** It reaches outside this machine and also changes something here. */
  readonly isOpenWorld?: boolean;
  /** Its results may be longer than clients take unasked. */
  readonly hasLongResults?: true;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The same as JSON Schema, where the build has translated it. */
  readonly inputSchema?: object | undefined;
  /**
   * What its structured content fits. Clients refuse a success without structured content from a tool that lists it, so a
   * tool that may omit it has none.
   */
  readonly output?: Contract;
  /** The same as JSON Schema, where the build has translated it. */
  readonly outputSchema?: object | undefined;
  /** The family's error payload; also for arguments that do not fit `input`. */
  readonly toError: (error: KnowledgeError) => JsonObject;
  /** The choices, shown to callers that left out a required parameter; "" for none. */
  readonly choices?: (parameter: string, context: CallContext) => Promise<string>;
  run(args: unknown, context: CallContext): Promise<ToolOutput>;
}

export interface ToolDefinition<Of extends Contract>
  extends Omit<Tool, "name" | "input" | "output" | "run" | "idempotent"> {
  readonly contract: Of;
  /** True for a tool that sends some results as text alone, so that it has no output schema. */
  readonly textOnly?: boolean;
  readonly idempotent?: boolean;
  readonly run: (args: Input<Of>, context: CallContext) => Promise<ToolOutput<Success<Of>>>;
}

/** What a family's own definer fills in: the family, and usually the form of its errors. */
export type FamilyTool<Of extends Contract> = Omit<ToolDefinition<Of>, "family" | "toError"> &
  Partial<Pick<ToolDefinition<Of>, "toError">>;

/** `run` is only called with arguments that the contract's input has parsed. */
export function defineTool<Of extends Contract>(definition: ToolDefinition<Of>): Tool {
  const { contract, run, textOnly = false, ...rest } = definition;
  const { name, input } = contract;
  const { input: inputSchema, output: outputSchema } = TRANSLATED[name] ?? {};
  return {
    idempotent: definition.effect === "read",
    ...rest,
    name,
    input,
    inputSchema,
    ...(textOnly ? {} : { output: contract, outputSchema }),
    run: run as Tool["run"],
  };
}

/** True when the user was asked and agreed, false when the client cannot ask. Throws when they did not agree. */
export async function askUser(
  { confirm, signal }: Pick<CallContext, "confirm" | "signal">,
  message: string,
): Promise<boolean> {
  if (!confirm) return false;
  if (await confirm(message, signal)) return true;
  throw new KnowledgeError(
    "CONFIRMATION_DECLINED",
    "The user declined, so nothing was changed. Do not try again unless they ask for it.",
  );
}
