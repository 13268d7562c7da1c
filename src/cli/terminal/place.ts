export interface PlacedIn {
  readonly page_num?: number;
  readonly slide_num?: number;
  readonly sheet?: string;
}

/** A passage's place in its document, as people say it. */
export function describePlace({ page_num, slide_num, sheet }: PlacedIn): string {
  if (slide_num !== undefined) return `slide ${slide_num}`;
  if (page_num !== undefined) return `page ${page_num}`;
  return sheet === undefined ? "" : `sheet ${sheet}`;
}
