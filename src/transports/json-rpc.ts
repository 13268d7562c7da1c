// The codes of JSON-RPC, by name.

export const JSON_RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** The server's own: refused by the guard, or too much to do. */
  refused: -32_000,
  /** The server's own: the session is not known (any more). */
  unknownSession: -32_001,
} as const;

export type JsonRpcCode = (typeof JSON_RPC)[keyof typeof JSON_RPC];
