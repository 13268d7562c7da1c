// Whether texts are shown as source: one choice for all pages, kept in this browser.
import { useEffect, useState } from "preact/hooks";

const KEY = "knowledge-server.source";
const CHANGED = "source-changed";

const read = () => localStorage.getItem(KEY) === "shown";

export function useShowSource(): [boolean, (shown: boolean) => void] {
  const [shown, setShown] = useState(read);
  useEffect(() => {
    const follow = () => setShown(read());
    addEventListener(CHANGED, follow);
    return () => removeEventListener(CHANGED, follow);
  }, []);
  const choose = (next: boolean) => {
    localStorage.setItem(KEY, next ? "shown" : "hidden");
    dispatchEvent(new Event(CHANGED));
  };
  return [shown, choose];
}
