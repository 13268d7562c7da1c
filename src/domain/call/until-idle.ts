/** Work in the background awaits it before each of its small steps: resolves when no request is at work. */
export type UntilIdle = () => Promise<void>;
