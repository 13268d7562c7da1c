// The caller's side of the operations: each is sent by its name to the thread that reads or the one that writes, where
// the same operation runs on the connection.
import type { Role } from "./thread/connection.ts";
import type { Calls } from "./thread/thread-rpc.ts";

/** Which of a repository's methods read and which write. */
export type Roles<Repository> = { readonly [Name in keyof Repository & string]: Role };

// biome-ignore lint/suspicious/noExplicitAny: any function is a method, whatever it takes
type AnyCalls = Calls<Record<string, (...args: any[]) => unknown>>;

export interface Threads {
  readonly read: AnyCalls;
  readonly write: AnyCalls;
}

export function openRemote<Repository extends object>(
  name: string,
  roles: Roles<Repository>,
  threads: Threads,
): Repository {
  const methods = Object.entries<Role>(roles).map(([method, role]) => {
    const send = async (...args: unknown[]) => {
      const signal = args.find((each) => each instanceof AbortSignal);
      const sent = args.filter((each) => each !== signal || signal === undefined);
      return threads[role].call(`${name}.${method}`, sent, { signal });
    };
    return [method, send];
  });
  return Object.fromEntries(methods) as Repository;
}
