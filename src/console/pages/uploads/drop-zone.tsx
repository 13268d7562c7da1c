import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, Collapsible, Icon, type IconName } from "../parts/parts.tsx";
import { ScopeField } from "../parts/scopes.tsx";
import { t } from "../state/language.ts";
import { useOffers } from "../state/offered-tools.ts";
import { parseRoute } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { chosenFiles, type NamedFile } from "./dropped-files.ts";
import type { UploadQueue } from "./upload-queue.ts";

interface FileButtonProps {
  readonly text: string;
  readonly class: "link" | "outline";
  readonly icon?: IconName;
  readonly isFolder?: boolean;
  readonly accept?: string;
  readonly onFiles: (files: readonly NamedFile[]) => void;
}

/** The browser's own field would say "No file chosen" although files were dropped. */
export function FileButton({ isFolder = false, accept, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        class="hidden"
        tabIndex={-1}
        accept={accept}
        aria-label={button.text}
        onChange={({ currentTarget }) => {
          onFiles(chosenFiles(currentTarget.files ?? []));
          currentTarget.value = "";
        }}
      />
    </>
  );
}

interface DropZoneProps {
  readonly queue: UploadQueue;
  readonly children: ComponentChildren;
}

/** Uploading is offered together with the tool that adds documents. */
export function DropZone({ queue, children }: DropZoneProps) {
  if (!useOffers("knowledge-add")) return null;
  return (
    <section class="drop" aria-label={t("Add documents")}>
      <Icon name="upload" />
      <p>
        {t("Drop files, a folder or a ZIP archive here, or")}{" "}
        <FileButton class="link" text={t("choose files")} onFiles={queue.add} /> {t("or")}{" "}
        <FileButton class="link" text={t("a folder")} isFolder onFiles={queue.add} />
      </p>
      <p class="muted small">
        {t(
          "PDF, Office and OpenDocument files, HTML, EPUB, pictures, Markdown, text, tables, mail, source code · up to 100 MB each",
        )}
      </p>
      <PlaceFields queue={queue} />
      {children}
    </section>
  );
}

/** Where added files belong, and their tags. */
function PlaceFields({ queue }: Pick<DropZoneProps, "queue">) {
  const { place } = useStore(queue);
  useLayoutEffect(() => {
    const scope = parseRoute(location).query.get("scope");
    if (scope) queue.setPlace({ ...place, scope });
  }, [queue]);
  const summary =
    place.scope || place.tags
      ? t("Added to: {0}", place.scope || "general")
      : t("Choose a scope and tags");
  return (
    <Collapsible class="fold" summary={summary}>
      {() => (
        <div class="row address">
          <ScopeField
            value={place.scope}
            onInput={(event) => queue.setPlace({ ...place, scope: event.currentTarget.value })}
          />
          <label>
            {t("Tags")}
            <input
              value={place.tags}
              maxLength={500}
              placeholder={t("contract, 2026")}
              onInput={(event) => queue.setPlace({ ...place, tags: event.currentTarget.value })}
            />
          </label>
        </div>
      )}
    </Collapsible>
  );
}
