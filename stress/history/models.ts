// The simplest model of a knowledge base: a version for each document, a text for each rule.
import type { Model } from "./linearise.ts";

export const ABSENT = "";

export type DocumentOp =
  | { readonly kind: "put"; readonly key: string; readonly value: string }
  /** An add whose content was already there. */
  | { readonly kind: "present"; readonly key: string; readonly value: string }
  /** Without a value if the response does not show it. */
  | { readonly kind: "remove"; readonly key: string; readonly value?: string }
  | { readonly kind: "clear"; readonly count?: number }
  | { readonly kind: "read"; readonly key: string; readonly value: string }
  | { readonly kind: "list"; readonly values: Values };

export type Values = Readonly<Record<string, string>>;

/** Only existing documents have a key. */
export const documentModel: Model<Values, DocumentOp> = {
  keyOf: (state) => JSON.stringify(Object.entries(state).sort()),
  apply(state, op) {
    switch (op.kind) {
      case "put":
        return { ...state, [op.key]: op.value };
      case "present":
        return state[op.key] === op.value ? state : undefined;
      case "remove":
        if (op.value !== undefined && state[op.key] !== op.value) return undefined;
        return without(state, op.key);
      case "clear":
        return op.count === undefined || op.count === Object.keys(state).length ? {} : undefined;
      case "read":
        return (state[op.key] ?? ABSENT) === op.value ? state : undefined;
      case "list":
        return documentModel.keyOf(state) === documentModel.keyOf(op.values) ? state : undefined;
    }
  },
};

function without(state: Values, key: string): Values {
  const { [key]: _, ...rest } = state;
  return rest;
}
