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

/** Undefined until the server has responded. */
export const OfferedContext = createContext<readonly ToolRow[] | undefined>(undefined);

export function useOffered(): readonly ToolRow[] | undefined {
  return useContext(OfferedContext);
}

/**
 * True until the list is known, because something that appears late is more annoying than something
 * that disappears.
 */
export function isOffered(
  tools: readonly ToolRow[] | undefined,
  name: string | undefined,
): boolean {
  return tools === undefined || name === undefined || tools.some((tool) => tool.name === name);
}

export function useOffers(name: string): boolean {
  return isOffered(useOffered(), name);
}

/** The check is for those who may do everything, as this tool is. */
export const CHECK_TOOL = "knowledge-clear";
