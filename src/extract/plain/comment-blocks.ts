// Finds lines inside block comments and multi-line strings: prose in which words look like declarations.

const ENDS = new Map(Object.entries({ "/*": "*/", '"""': '"""', "'''": "'''" }));
const OPENS = /^\s*(?:[rbfu]{0,2}|.*[=(,]\s*[rbfu]{0,2})("""|''')|^\s*(\/\*)/i;

/**
 * Call it for each line: returns whether the line is inside a block. The line that opens a block is
 * not, the line that ends it is.
 */
export function openCommentBlocks(): (line: string) => boolean {
  let end: string | undefined;
  return (line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return true;
    }
    const found = OPENS.exec(line);
    const opened = found?.[1] ?? found?.[2];
    if (found === null || opened === undefined) return false;
    const closing = ENDS.get(opened) ?? opened;
    if (!line.includes(closing, found[0].length)) end = closing;
    return false;
  };
}
