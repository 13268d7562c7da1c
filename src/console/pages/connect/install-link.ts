// Install links: a click adds this server to a client that has registered for them.

export type InstallLink = (server: Readonly<Record<string, unknown>>) => string;

const NAME = "knowledge";

export const cursorLink: InstallLink = (server) => {
  const config = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(server))));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(config)}`;
};

export const vscodeLink: InstallLink = (server) =>
  `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...server }))}`;
