// JSON-RPC errors are made here and nowhere else: the named codes, and the contract's `data` with `error_type` and
// `details`.

export const JSON_RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** The server's own: refused by the guard, or overloaded. */
  refused: -32_000,
  /** The server's own: unknown or expired session. */
  unknownSession: -32_001,
} as const;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: RpcErrorData;
}

export interface RpcErrorData {
  readonly error_type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const TYPES: Readonly<Record<number, string>> = {
  [JSON_RPC.parseError]: "parse_error",
  [JSON_RPC.invalidRequest]: "invalid_request",
  [JSON_RPC.methodNotFound]: "method_not_found",
  [JSON_RPC.invalidParams]: "invalid_params",
  [JSON_RPC.internalError]: "internal",
  [JSON_RPC.refused]: "refused",
  [JSON_RPC.unknownSession]: "unknown_session",
};

/** An error without a type gets its code's. */
export function toRpcError(
  code: number,
  message: string,
  { error_type = TYPES[code] ?? "server_error", details = {} }: Partial<RpcErrorData> = {},
): RpcError {
  return { code, message, data: { error_type, details } };
}

/** An error from elsewhere, such as the SDK. Its `data` stays and is copied to `details`. */
export function completeRpcError(error: {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}): RpcError {
  const { code, message, data } = error;
  if (isComplete(data)) return { code, message, data };
  const given = typeof data === "object" && data !== null ? { ...data } : {};
  const made = toRpcError(code, message, { details: given });
  return { ...made, data: { ...given, ...made.data } };
}

function isComplete(data: unknown): data is RpcErrorData {
  return typeof data === "object" && data !== null && "error_type" in data && "details" in data;
}
