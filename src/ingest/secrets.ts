// Files that are never read, wherever they lie: keys, credentials and the system's own views of processes.

const FOLDERS = new Set([
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".password-store",
  ".git",
  "gcloud",
  "keychains",
  "keyrings",
]);

const NAMES =
  /^(\.env.*|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token|id_(rsa|dsa|ecdsa|ed25519).*|credentials(\..+)?|secrets?\.(json|ya?ml|toml|txt|env)|service[-_]?account.*\.json|shadow|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn))$/;

// Regular files to `stat`, yet they are the kernel's: /proc/self/environ holds the server's own secrets.
const SYSTEM = /^\/(proc|sys|dev)(\/|$)/;

export function isSecret(path: string): boolean {
  if (SYSTEM.test(path)) return true;
  const parts = path.toLowerCase().split(/[/\\]/);
  const name = parts.pop() ?? "";
  return NAMES.test(name) || parts.some((part) => FOLDERS.has(part));
}

/** Folders that a walk does not enter: nobody keeps documents there. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || FOLDERS.has(name.toLowerCase());
}
