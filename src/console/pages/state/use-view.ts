import { useLayoutEffect, useState } from "preact/hooks";

/** Something that lives longer than a page and reports its changes. */
interface Viewed<View> {
  readonly view: () => View;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Subscribes before anything else can change it. */
export function useView<View>(source: Viewed<View>): View {
  const [view, setView] = useState(source.view);
  useLayoutEffect(() => source.subscribe(() => setView(source.view)), [source]);
  return view;
}
