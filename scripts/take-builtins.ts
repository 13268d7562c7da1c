// An `import` of one of Node's own modules makes a second face of it with all of its exports, and so loads what they
// load at need: `node:fs` its streams, `node:crypto` WebCrypto. Asked for by name, a module gives what is used alone.
//
//   import{join as a,sep}from"node:path";  ─▶  const{join:a,sep}=globalThis.process.getBuiltinModule("node:path");

const IMPORT =
  /(?<=^|[;}\n])import(?:(?: ([\w$]+)|\*as ([\w$]+)) |(?: ([\w$]+),)?\{([^}]*)\})from"(node:[\w/]+)";?/g;
const LEFT = /(?<=^|[;}\n])import\b[^("';]*["']node:[\w/]+["']/;

/** Imports hold before any other line of their file, so what replaces them goes first. */
export function takeBuiltins(path: string, text: string): string {
  const taken: string[] = [];
  const rest = text.replace(
    IMPORT,
    (_, own?: string, all?: string, main?: string, names?: string, from?: string) => {
      const { whole, parts } = bindingsOf(names ?? "");
      const module = `globalThis.process.getBuiltinModule("${from}")`;
      for (const name of [own, all, main, ...whole]) {
        if (name !== undefined) taken.push(`const ${name}=${module};`);
      }
      if (parts.length > 0) taken.push(`const{${parts.join()}}=${module};`);
      return "";
    },
  );
  const [left] = LEFT.exec(rest) ?? [];
  if (left !== undefined)
    throw new Error(`${path} takes a module in a way not known here: ${left}`);
  return taken.join("") + rest;
}

/** `default as a,b,c as d` → the whole as a; parts b and c:d */
function bindingsOf(names: string) {
  const pairs = names
    .split(",")
    .filter((name) => name !== "")
    .map((name) => name.split(" as ") as [string, string?]);
  return {
    whole: pairs.flatMap(([name, as]) => (name === "default" ? [as] : [])),
    parts: pairs.flatMap(([name, as]) =>
      name === "default" ? [] : [as === undefined ? name : `${name}:${as}`],
    ),
  };
}
