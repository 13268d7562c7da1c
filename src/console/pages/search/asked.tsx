// A question that was asked: how it was understood, and what can be done with it.
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { togglePinned, useKept } from "../state/kept.ts";
import { useI18n } from "../state/language.ts";
import { questionOf, type SearchQuery, toAddress } from "./search-query.ts";

/** How a follow-up was understood, and what can be done with a question: share it, keep it. */
export function AskedAs({ searchQuery }: { readonly searchQuery: SearchQuery }) {
  const { t } = useI18n();
  return (
    <div class="row between asked">
      {searchQuery.about ? (
        <p class="small">
          {t("understoodAs", questionOf(searchQuery))}{" "}
          <a href={toAddress({ ...searchQuery, about: "" })}>{t("askAlone", searchQuery.text)}</a>
        </p>
      ) : (
        <p class="muted small">{t("followUpHint")}</p>
      )}
      <Keep address={toAddress(searchQuery)} />
    </div>
  );
}

function Keep({ address }: { readonly address: string }) {
  const { t } = useI18n();
  const isPinned = useKept("pinned").includes(address);
  const [copied, setCopied] = useState(false);
  useLayoutEffect(() => setCopied(false), [address]);
  const copy = () =>
    navigator.clipboard
      ?.writeText(new URL(address, location.origin).href)
      .then(() => setCopied(true));
  return (
    <span class="row">
      <Button
        class="quiet small"
        icon="pin"
        text={t(isPinned ? "unpin" : "pin")}
        aria-pressed={isPinned}
        onClick={() => togglePinned(address)}
      />
      <Button
        class="quiet small"
        icon="link"
        text={t(copied ? "copied" : "copyLink")}
        onClick={copy}
      />
    </span>
  );
}
