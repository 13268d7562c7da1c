// A tool's contract: its name and shapes, the types inferred from them, and how its output is parsed.
import * as z from "zod";

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

/**
 * The one object schema that clients see of a tool's results. They check errors against it too, so it asks for no
 * more than what successes and errors have in common. Results may have further fields: it lists those that every
 * success has.
 */
export function toListedOutput({ success, failure }: Contract): z.ZodObject {
  const successes = variantsOf(success).map(({ shape }) => shape);
  const variants = [...successes, failure.shape];
  const [first = {}] = successes;
  const names = Object.keys(first).filter((name) =>
    successes.every((shape) => shape[name] && isRequired(shape[name])),
  );
  return z.looseObject(
    Object.fromEntries(
      names.map((name) => {
        const given = variants.flatMap((shape) => shape[name] ?? []);
        const isCommon = given.length === variants.length && given.every(isRequired);
        const merged = merge(given.map(withoutOptional));
        return [name, isCommon ? merged : merged.optional()];
      }),
    ),
  );
}

function variantsOf(schema: z.ZodType): readonly z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => variantsOf(option as z.ZodType));
  }
  throw new TypeError("A tool's results are objects.");
}

/** Variants that differ in a field have other values of the same type: true or false, one literal or another. */
function merge(given: readonly z.ZodType[]): z.ZodType {
  const [first = z.unknown()] = given;
  const values = [...new Set(given.flatMap(literalsOf))];
  if (values.length <= 1) return first;
  const merged = values.every((value) => typeof value === "boolean")
    ? z.boolean()
    : z.enum(values.map(String));
  const description = given.find((schema) => schema.description)?.description;
  return description === undefined ? merged : merged.describe(description);
}

function literalsOf(schema: z.ZodType): readonly unknown[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  return schema instanceof z.ZodEnum ? schema.options : [];
}

function isRequired(schema: z.core.$ZodType): boolean {
  return !(schema instanceof z.ZodOptional);
}

function withoutOptional(schema: z.core.$ZodType): z.ZodType {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner as z.ZodType;
}
