/** In the data folder: the questions of `knowledge-server check` and its runs, as lines that are only ever added. */
export const CHECKS_FILE = "checks.jsonl";
