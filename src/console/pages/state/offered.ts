// Which tools this server offers (--tools); pages and buttons of the others are hidden.
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface ToolRow {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
    readonly required?: readonly string[];
  };
}

/** Undefined until the server has said. */
export const OfferedContext = createContext<readonly ToolRow[] | undefined>(undefined);

export function useOffered(): readonly ToolRow[] | undefined {
  return useContext(OfferedContext);
}

/** True while it is not known yet: what flashes up is worse than what goes. */
export function isOffered(
  tools: readonly ToolRow[] | undefined,
  name: string | undefined,
): boolean {
  return tools === undefined || name === undefined || tools.some((tool) => tool.name === name);
}
