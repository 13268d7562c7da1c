import { useSpeech } from "../state/language.ts";
import { toHash } from "../state/route.ts";
import { Empty } from "./empty.tsx";

/** Shown while there are no documents; leads to adding the first one. */
export function NoDocuments() {
  const { say } = useSpeech();
  return (
    <Empty icon="upload" title={say("emptyTitle")} text={say("emptyHint")}>
      <a class="button" href={toHash("documents")}>
        {say("goDocuments")}
      </a>
    </Empty>
  );
}
