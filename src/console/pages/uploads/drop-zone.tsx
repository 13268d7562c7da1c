import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ScopeField } from "../parts/scopes.tsx";
import { useI18n } from "../state/language.ts";
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
  const { t } = useI18n();
  if (!useOffers("knowledge-add")) return null;
  return (
    <section class="drop" aria-label={t("addDocuments")}>
      <Icon name="upload" />
      <p>
        {t("dropHere")} <FileButton class="link" text={t("choose")} onFiles={queue.add} /> {t("or")}{" "}
        <FileButton class="link" text={t("chooseFolder")} isFolder onFiles={queue.add} />
      </p>
      <p class="muted small">{t("dropFormats")}</p>
      <PlaceFields queue={queue} />
      {children}
    </section>
  );
}

/** Where added files belong, and their tags. */
function PlaceFields({ queue }: Pick<DropZoneProps, "queue">) {
  const { t } = useI18n();
  const { place } = useStore(queue);
  useLayoutEffect(() => {
    const scope = parseRoute(location).query.get("scope");
    if (scope) queue.setPlace({ ...place, scope });
  }, [queue]);
  const summary =
    place.scope || place.tags ? t("addedTo", place.scope || "general") : t("chooseScopeTags");
  return (
    <Collapsible class="fold" summary={summary}>
      {() => (
        <div class="row address">
          <ScopeField
            value={place.scope}
            onInput={(event) => queue.setPlace({ ...place, scope: event.currentTarget.value })}
          />
          <label>
            {t("tags")}
            <input
              value={place.tags}
              maxLength={500}
              placeholder={t("tagsExample")}
              onInput={(event) => queue.setPlace({ ...place, tags: event.currentTarget.value })}
            />
          </label>
        </div>
      )}
    </Collapsible>
  );
}
