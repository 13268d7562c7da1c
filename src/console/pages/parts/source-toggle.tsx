import { useSpeech } from "../state/language.ts";
import { useShowSource } from "../state/show-source.ts";

export function SourceToggle() {
  const { say } = useSpeech();
  const [shown, show] = useShowSource();
  return (
    <button type="button" class="quiet" aria-pressed={shown} onClick={() => show(!shown)}>
      {say("showSource")}
    </button>
  );
}
