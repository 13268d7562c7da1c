// Files dropped anywhere on the page: a drop beside a box would make the browser leave for the file.
import { useEffect, useRef, useState } from "preact/hooks";

/** True while files are held over the page. */
export function useDrop(onFiles: (files: FileList) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const listening = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      addEventListener(name, handle, { signal: listening.signal });
    on("dragover", (event) => {
      event.preventDefault();
      setOver(event.dataTransfer?.types.includes("Files") ?? false);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    on("drop", (event) => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer?.files.length) take.current(event.dataTransfer.files);
    });
    return () => listening.abort();
  }, []);
  return over;
}
