import { Icon } from "../parts/icon.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { useI18n } from "../state/language.ts";
import { authHeaders } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";

interface ConnectedClient {
  readonly name: string;
  readonly version: string;
  readonly transport: string;
  readonly connected_at: string;
}

const EVERY_MS = 2_000;

/** Shows connected clients; a new one appears within seconds. */
export function Connected() {
  const { t } = useI18n();
  const { data } = useLive(async (signal): Promise<{ clients: readonly ConnectedClient[] }> => {
    const response = await fetch("/api/clients", { signal, headers: authHeaders() });
    return response.ok ? response.json() : { clients: [] };
  }, EVERY_MS);
  const clients = data?.clients ?? [];
  return (
    <section class="card" aria-labelledby="connected" aria-live="polite">
      <h2 id="connected">{t("connectedClients")}</h2>
      {clients.length === 0 && <p class="muted">{t("noClients")}</p>}
      <ul class="tasks">
        {clients.map(({ name, version, transport, connected_at }) => (
          <li key={`${name} ${transport}`}>
            <span class="badge good">
              <Icon name="check" />
            </span>
            <span class="grow">
              {name} <span class="muted small">{version}</span>
            </span>
            <span class="muted small">
              <RelativeDate iso={connected_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
