// Accepts files and folders dropped anywhere on the page; otherwise the browser would leave the page to open the file.
import { useEffect, useState } from "preact/hooks";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import { droppedFiles } from "./dropped-files.ts";
import type { UploadQueue } from "./upload-queue.ts";

/** True while files are dragged over the page. */
export function useDrop(queue: UploadQueue): boolean {
  const [over, setOver] = useState(false);
  const offers = isOffered(useOffered(), "knowledge-add");
  useEffect(() => {
    const listening = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      addEventListener(name, handle, { signal: listening.signal });
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files");
    on("dragover", (event) => {
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      setOver(offers);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    on("drop", (event) => {
      setOver(false);
      // A page that handles the drop itself has prevented the default.
      if (event.defaultPrevented || !event.dataTransfer) return;
      event.preventDefault();
      if (offers) void droppedFiles(event.dataTransfer).then(queue.add);
    });
    return () => listening.abort();
  }, [queue, offers]);
  return over;
}
