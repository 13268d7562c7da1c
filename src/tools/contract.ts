// A tool's contract: its name and shapes, the types inferred from them, and how its output is parsed.
import type * as z from "zod";

/** A tool's name and shapes. What its handler, the command line and the console see is inferred from them. */
export interface Contract {
  readonly name: string;
  readonly input: z.ZodObject;
  /** The structured content of a success. */
  readonly success: z.ZodType;
  readonly failure: z.ZodObject;
}

export type Input<Of extends Contract> = z.output<Of["input"]>;
export type Success<Of extends Contract> = Given<z.output<Of["success"]>>;
export type Failure<Of extends Contract> = Given<z.output<Of["failure"]>>;

/** What a schema describes, as an immutable value. */
export type Given<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Given<Value[Key]> }
  : Value;

export interface ToolOutput<Structured = unknown> {
  /** The contract's JSON, sent as text content. */
  readonly payload: unknown;
  /** Sent as structured content; omitted when `payload` is too large to be sent twice. */
  readonly structured?: Structured;
  /** Sent next to the contract's JSON, as a separate text block. */
  readonly notes?: readonly string[];
  /** Resources that the result refers to, for clients that follow links. */
  readonly links?: readonly ResourceLink[];
  /** PNG files, each sent as image content. */
  readonly images?: readonly Uint8Array[];
  readonly isError?: boolean;
}

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
}

/** A tool's output, parsed by its contract. */
export type Outcome<Of extends Contract> =
  | { readonly kind: "done"; readonly value: z.output<Of["success"]> }
  | { readonly kind: "refused"; readonly error: z.output<Of["failure"]> };

export function readOutput<Of extends Contract>(contract: Of, output: ToolOutput): Outcome<Of> {
  const { payload, structured = payload, isError = false } = output;
  const { success, failure }: Pick<Of, "success" | "failure"> = contract;
  return isError
    ? { kind: "refused", error: read(failure, structured) }
    : { kind: "done", value: read(success, structured) };
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return schema.parse(value);
}
