// What people can do that agents cannot: the command line's and the console's own verbs.
// A room that has one declares it here as an optional method, and app.ts supplies it.

// biome-ignore lint/suspicious/noEmptyInterface: rooms add their verbs here
export interface Operations {}
