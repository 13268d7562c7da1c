// Loads the viewer when the first document is opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import type { Route } from "../state/route.ts";

interface DocumentProps {
  readonly id: string;
  readonly route: Route;
}

export function DocumentPage(props: DocumentProps) {
  const { t } = useI18n();
  const [Viewer, setViewer] = useState<ComponentType<DocumentProps>>();
  useEffect(() => {
    void import("../document/viewer.tsx").then((loaded) => setViewer(() => loaded.Viewer));
  }, []);
  // The key resets the viewer, so that one document's data is never shown as part of the next.
  return Viewer ? <Viewer key={props.id} {...props} /> : <p aria-busy="true">{t("loading")}</p>;
}
