// When unreferenced files mean that the database is wrong, not the files.

/**
 * Crashes leave an occasional file. More than this number and this share of all files mean that the database
 * is not the one that the files were added to. So do several files without a single document.
 */
const EXPECTED_COUNT = 10;
const EXPECTED_SHARE = 0.05;

export function isTooMany(orphans: number, files: number): boolean {
  const isAll = orphans === files && orphans > 1;
  return isAll || (orphans > EXPECTED_COUNT && orphans > files * EXPECTED_SHARE);
}
