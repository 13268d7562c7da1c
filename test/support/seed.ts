// The seed of generated tests: fixed, so that a failure comes from a change and not from chance.
export const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
