// When files that nothing refers to say more about the database than about the files.

/**
 * What crashes leave is a file now and then. More than this, and more than this share of all, means that the database
 * is not the one that the files were added to.
 */
const FEW = 10;
const SHARE = 0.05;

export function isTooMany(orphans: number, files: number): boolean {
  return orphans > FEW && orphans > files * SHARE;
}
