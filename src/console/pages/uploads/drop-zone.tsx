import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useSpeech } from "../state/language.ts";
import { chosenFiles } from "./dropped-files.ts";
import { useUploads } from "./use-uploads.ts";

export function DropZone({ children }: { readonly children?: ComponentChildren }) {
  const { say } = useSpeech();
  const queue = useUploads();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (event: { readonly currentTarget: HTMLInputElement }) => {
    queue?.add(chosenFiles(event.currentTarget.files ?? []));
    event.currentTarget.value = "";
  };
  const hidden = { multiple: true, class: "hidden", tabIndex: -1, onChange: take };
  // Every browser supports the attribute, but the types do not include it.
  useEffect(() => folder.current?.setAttribute("webkitdirectory", ""), []);
  return (
    <section class="drop" aria-label={say("addDocuments")}>
      <Icon name="upload" />
      <p>
        {say("dropHere")}{" "}
        <button type="button" class="link" onClick={() => files.current?.click()}>
          {say("choose")}
        </button>{" "}
        {say("or")}{" "}
        <button type="button" class="link" onClick={() => folder.current?.click()}>
          {say("chooseFolder")}
        </button>
      </p>
      <p class="muted small">{say("dropFormats")}</p>
      {children}
      <input ref={files} type="file" {...hidden} aria-label={say("choose")} />
      <input ref={folder} type="file" {...hidden} aria-label={say("chooseFolder")} />
    </section>
  );
}
