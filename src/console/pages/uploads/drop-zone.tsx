import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import { chosenFiles } from "./dropped-files.ts";
import { useUploads } from "./use-uploads.ts";

/** Uploading is offered together with this tool. */
const ADD = "knowledge-add";

export function DropZone({ children }: { readonly children?: ComponentChildren }) {
  const { t } = useI18n();
  const queue = useUploads();
  const offers = isOffered(useOffered(), ADD);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (event: { readonly currentTarget: HTMLInputElement }) => {
    queue?.add(chosenFiles(event.currentTarget.files ?? []));
    event.currentTarget.value = "";
  };
  const hidden = { multiple: true, class: "hidden", tabIndex: -1, onChange: take };
  // Every browser supports the attribute, but the types do not include it.
  useEffect(() => folder.current?.setAttribute("webkitdirectory", ""), []);
  if (!offers) return null;
  return (
    <section class="drop" aria-label={t("addDocuments")}>
      <Icon name="upload" />
      <p>
        {t("dropHere")}{" "}
        <button type="button" class="link" onClick={() => files.current?.click()}>
          {t("choose")}
        </button>{" "}
        {t("or")}{" "}
        <button type="button" class="link" onClick={() => folder.current?.click()}>
          {t("chooseFolder")}
        </button>
      </p>
      <p class="muted small">{t("dropFormats")}</p>
      {children}
      <input ref={files} type="file" {...hidden} aria-label={t("choose")} />
      <input ref={folder} type="file" {...hidden} aria-label={t("chooseFolder")} />
    </section>
  );
}
