import { Icon } from "./parts/icon.tsx";
import { useSpeech } from "./state/language.ts";
import { toHash } from "./state/route.ts";

/** Shown for an address that names no page, or a page that this server does not offer. */
export function NotFound() {
  const { say } = useSpeech();
  return (
    <section class="card empty">
      <Icon name="search" />
      <h1>{say("notFound")}</h1>
      <p>{say("notFoundText", location.hash)}</p>
      <a class="button" href={toHash("")}>
        {say("goHome")}
      </a>
    </section>
  );
}
