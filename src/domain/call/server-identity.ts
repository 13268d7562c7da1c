// How this program introduces itself, to protocols, registries and people alike.

export const TITLE = "Knowledge server";

/** At most 100 characters, the limit of registries. */
export const DESCRIPTION =
  "Your documents, answers with citations and inherited rules for AI agents; offline by default.";

// The console's icon, inlined because a stdio client has no server to fetch it from.
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451b2"/><path d="M9 8h3v16H9zM13.5 16 20 8h3.8l-6.6 8 6.9 8h-3.9z" fill="#fff"/></svg>';

export interface Icon {
  readonly src: string;
  readonly mimeType: string;
  readonly sizes: string[];
}

export function serverIcons(): Icon[] {
  const src = `data:image/svg+xml;base64,${Buffer.from(PICTURE).toString("base64")}`;
  return [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
}
