/** Background work awaits this before each small step; it resolves when no request is running. */
export type UntilIdle = () => Promise<void>;
