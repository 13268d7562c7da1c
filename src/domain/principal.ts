// Who calls, and what they may do.

/** `read` finds and shows, `write` also adds and changes, `admin` also removes and clears. */
export const RIGHTS = ["read", "write", "admin"] as const;
export type Right = (typeof RIGHTS)[number];

export interface Principal {
  /** For log lines and limits; never a secret. */
  readonly name: string;
  readonly rights: ReadonlySet<Right>;
}

/** The one who started the process, or reaches it over loopback without a token. */
export const OWNER: Principal = { name: "owner", rights: new Set(RIGHTS) };
