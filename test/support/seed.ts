// Where generated tests begin: the same for everyone, so that a failure comes from a change and not from chance.
export const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
