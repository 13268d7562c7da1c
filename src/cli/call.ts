// Calls a tool by its contract: the result is typed by the contract and checked against it.
import { type Contract, type Outcome, readOutput } from "../tools/contract.ts";
import type { OpenToolbox } from "./command.ts";

export interface Call<Of extends Contract> {
  readonly contract: Of;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `payload` is exactly what the tool returned, for `--json`. */
export async function call<Of extends Contract>(
  app: OpenToolbox,
  { contract, args, signal }: Call<Of>,
): Promise<Outcome<Of> & { readonly payload: unknown }> {
  const output = await app.call(contract.name, args, { signal });
  return { ...readOutput(contract, output), payload: output.structured ?? output.payload };
}
