/** Called by work in the background before each of its small steps: resolves when no request is at work. */
export type Pause = () => Promise<void>;
