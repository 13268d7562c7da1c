import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { Progress } from "../parts/progress.tsx";
import { useSpeech } from "../state/language.ts";
import { toHash } from "../state/route.ts";
import type { Word } from "../state/translations.ts";
import { FINISHED, type Upload, useUploads } from "./uploads.ts";
import { useDrop } from "./use-drop.ts";

const STATE_WORD: Record<Upload["state"], Word> = {
  uploading: "uploading",
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failedStatus",
  cancelled: "cancelled",
  present: "alreadyPresent",
};

export function UploadPanel({ onDone }: { onDone: () => void }) {
  const { say } = useSpeech();
  const { uploads, add, cancel, clearFinished } = useUploads(onDone);
  const over = useDrop(add);
  const input = useRef<HTMLInputElement>(null);
  return (
    <section class="card" aria-label={say("uploads")}>
      <div class={`drop ${over ? "over" : ""}`}>
        <Icon name="upload" />
        <p>
          {say("dropHere")}{" "}
          <button type="button" class="link" onClick={() => input.current?.click()}>
            {say("choose")}
          </button>
        </p>
        <p class="muted">{say("dropFormats")}</p>
        <input
          ref={input}
          type="file"
          multiple
          class="hidden"
          aria-label={say("choose")}
          tabIndex={-1}
          onChange={(event) => {
            add(event.currentTarget.files ?? []);
            event.currentTarget.value = "";
          }}
        />
      </div>
      {uploads.length > 0 && (
        <>
          <ul class="tasks" aria-live="polite">
            {uploads.map((upload) => (
              <UploadRow key={upload.key} upload={upload} onCancel={() => cancel(upload)} />
            ))}
          </ul>
          {uploads.some((upload) => FINISHED.has(upload.state)) && (
            <button type="button" class="quiet" onClick={clearFinished}>
              {say("clearFinished")}
            </button>
          )}
        </>
      )}
    </section>
  );
}

function UploadRow({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { say } = useSpeech();
  return (
    <li>
      <span class="grow">
        {upload.documentId ? (
          <a href={toHash("documents", upload.documentId)}>{upload.name}</a>
        ) : (
          upload.name
        )}
      </span>
      <span class="muted">{upload.note}</span>
      {!FINISHED.has(upload.state) && <Progress value={upload.fraction} label={upload.name} />}
      <span class={`badge ${upload.state}`}>{say(STATE_WORD[upload.state])}</span>
      {!FINISHED.has(upload.state) && (
        <button
          type="button"
          class="quiet"
          aria-label={`${say("cancel")} ${upload.name}`}
          onClick={onCancel}
        >
          {say("cancel")}
        </button>
      )}
    </li>
  );
}
