// Where keys and credentials are kept, each with the reason that a refusal names. All lower case; `*` is any run of
// characters within a name. An entry that does not start with a dot is refused anywhere, others as well when a root
// names the hidden folder they are in.

export interface SecretPlace {
  readonly reason: string;
  /** Everything below such a folder is secret: one name, or the names of nested folders. */
  readonly folders?: readonly string[];
  /** A file's name, or the names of its folders and its own. */
  readonly files?: readonly string[];
}

const words = (list: string) => list.trim().split(/\s+/);

export const SECRET_PLACES: readonly SecretPlace[] = [
  {
    reason: "SSH keys",
    folders: [".ssh", "etc/ssh"],
    files: words("id_rsa* id_dsa* id_ecdsa* id_ed25519* id_xmss* ssh_host_*_key* *.ppk"),
  },
  {
    reason: "GnuPG keys",
    folders: [".gnupg", "appdata/roaming/gnupg", "private-keys-v1.d"],
    files: words("secring.* secret-keys.asc private-key.asc"),
  },
  {
    reason: "a private key or key store",
    folders: ["etc/ssl/private", "etc/letsencrypt", "etc/pki/tls/private"],
    files: words(
      `*.pem *.key *.p12 *.pfx *.p8 *.pk8 *.pvk *.snk *.jks *.jceks *.bks *.keystore *.keytab
       *.keychain *.keychain-db krb5cc_* privkey`,
    ),
  },
  {
    reason: "environment variables with secrets",
    folders: ["run/secrets", "var/run/secrets", "jenkins/secrets"],
    files: words(".env* *.env .dev.vars .flaskenv local.settings.json .secrets* wp-config.php"),
  },
  {
    reason: "credentials",
    files: [
      ...words(".netrc _netrc .authinfo* credentials .credentials* auth.json creds.json creds.txt"),
      ...words("json csv txt ini toml yml yaml xml db properties env").flatMap((extension) => [
        `credentials.${extension}`,
        `secret.${extension}`,
        `secrets.${extension}`,
      ]),
      ...words("*credentials*.csv *accesskeys*.csv rootkey*.csv .vault-token *.vault-token"),
      ...words(".htpasswd htpasswd .htdigest .vault_pass* vault_pass* vault-password* .pulumi-*"),
    ],
  },
  {
    reason: "a coding agent's credentials",
    folders: [
      ...words(".config/github-copilot appdata/local/github-copilot .codeium .windsurf .copilot"),
      ...words(".amazonq .kiro .config/goose"),
      ...words(".claude/projects .codex/sessions .gemini/tmp .cursor/projects"),
    ],
    files: [
      ...words(".claude.json* .claude/*credentials* .claude/settings*.json .claude/*.jsonl"),
      ...words(".codex/auth* .codex/config.toml .codex/*.jsonl .gemini/*.json .qwen/*.json"),
      ...words(".cursor/*.json .continue/config.* .continue/*.json .aider* opencode/auth.json"),
      ...words("opencode.json* goose/*.yaml mcp.json .mcp.json *mcp_settings.json mcp-auth/*"),
      ...words("claude_desktop_config.json oauth_creds.json io.datasette.llm/keys.json"),
    ],
  },
  {
    reason: "a browser's logins or cookies",
    folders: [
      ...words(".mozilla .thunderbird firefox/profiles thunderbird/profiles bravesoftware"),
      ...words(".config/google-chrome* .config/chromium .config/microsoft-edge* .config/vivaldi*"),
      ...words(".config/opera* com.operasoftware.* library/cookies library/safari"),
      ...["google/chrome*/user data", "chromium/user data", "microsoft/edge*/user data"],
      ...["vivaldi/user data", "arc/user data", "opera software"],
      ...["application support/google/chrome*", "application support/chromium"],
      ...["application support/microsoft edge*", "application support/firefox"],
    ],
    files: [
      ...words(
        "logins.json logins-backup.json key3.db key4.db cert9.db signons* formhistory.sqlite",
      ),
      ...words("cookies cookies.sqlite* cookies.binarycookies places.sqlite*"),
      "login data*",
      "web data",
      "local state",
    ],
  },
  {
    reason: "cluster credentials",
    folders: [".kube", ".minikube", ".talos", "etc/kubernetes", "etc/rancher"],
    files: words(
      `kubeconfig kubeconfig.json kubeconfig.txt kubeconfig.y*ml *-kubeconfig.y*ml *.kubeconfig k3s.yaml
       talosconfig kube/config`,
    ),
  },
  {
    reason: "cloud credentials",
    folders: [
      ...words(
        ".aws .azure .oci .bluemix .ibmcloud .fly .wrangler .vercel com.vercel.cli .netlify",
      ),
      ...words(
        ".heroku .railway .hcloud .pulumi .terraform.d .terraform .chef .snowsql .snowflake",
      ),
      ...words(".cloudflared .ngrok2 .mc .dbt .config/gcloud appdata/roaming/gcloud .config/doctl"),
      ...words(".config/linode-cli .config/scw .config/hcloud .config/configstore .config/gh"),
      ...words(".config/glab-cli .config/hub .config/netlify .config/heroku"),
      "application support/gcloud",
      "application support/doctl",
    ],
    files: [
      ...words(".terraformrc terraform.rc credentials.tfrc.json *.tfstate *.tfstate.* *.tfvars"),
      ...words(
        "*.tfvars.json .boto .s3cfg .passwd-s3fs rclone.conf .databrickscfg .clasprc.json ngrok.yml",
      ),
      ...words("application_default_credentials.json access_tokens.db accesstokens.json"),
      ...words("azureauth.json service-account*.json service_account*.json serviceaccount*.json"),
      ...words("client_secret*.json *-firebase-adminsdk-*.json gha-creds-*.json gh/hosts.yml"),
    ],
  },
  {
    reason: "container registry credentials",
    folders: [".docker"],
    files: words(".dockercfg .dockerconfigjson docker/config.json containers/auth.json"),
  },
  {
    reason: "package registry credentials",
    folders: words(".cargo/registry pypoetry .hex .conan .nuget"),
    files: [
      ...words(".npmrc .yarnrc .yarnrc.yml .pnpmrc .bunfig.toml .pypirc pip.conf pip.ini .condarc"),
      ...words(".gem/credentials .bundle/config .cargo/credentials* .m2/settings*.xml"),
      ...words("settings-security.xml gradle.properties nuget.config"),
    ],
  },
  {
    reason: "a password manager's data",
    folders: [
      ...words(".password-store password-store keyrings keychains kwalletd 1password/data"),
      ...words("*.agilekeychain *.opvault *.keychain .config/bitwarden* .config/1password"),
    ],
    files: [
      ...words(
        "*.kdbx *.kdb *.1pux *.1pif *.psafe3 *.enpassdb *.kwl *.keyring bitwarden/data.json",
      ),
      ...words("bitwarden*export*.json bitwarden*export*.csv"),
      ...words(
        "lastpass*.csv 1password*.csv keepass*.csv keepass*.xml dashlane*.csv *passwords*.csv",
      ),
      ...words("passwords.txt passwords.json passwords.xlsx password.txt logins.csv"),
      ...words("*recovery-codes*.txt *recovery_codes*.txt *backup-codes*.txt *backup_codes*.txt"),
    ],
  },
  {
    reason: "a token cache",
    folders: [".identityservice", ".cache/huggingface"],
    files: [
      ...words(
        "msal_token_cache* msal.cache tokencache.dat token_cache.* *.token .token token.json",
      ),
      ...words("token.pickle huggingface/token stored_tokens"),
      ...words("oauth refresh access").flatMap((kind) => [`${kind}_token`, `${kind}_token.json`]),
      ...words(".sentryclirc .gitcookies .git-credentials .git-credential*"),
    ],
  },
  {
    reason: "database passwords",
    folders: [".mysql", ".dbeaver"],
    files: words(
      ".pgpass pgpass.conf .my.cnf .mylogin.cnf .pg_service.conf pg_service.conf credentials-config.json",
    ),
  },
  {
    reason: "network passwords",
    folders: words("system-connections etc/wireguard var/lib/iwd etc/netplan .cisco etc/openvpn"),
    files: words(
      `*.nmconnection wpa_supplicant*.conf *.ovpn *.mobileconfig wg*.conf *.psk *.pcf ipsec.secrets
       chap-secrets pap-secrets`,
    ),
  },
  {
    reason: "the system's passwords",
    files: words(
      "shadow shadow- gshadow gshadow- master.passwd opasswd ntds.dit config/sam unattend.xml sysprep.xml",
    ),
  },
  {
    reason: "a shell's history",
    files: words(".*_history fish_history .histfile .lesshst .viminfo consolehost_history.txt"),
  },
  {
    reason: "a wallet",
    folders: words(
      ".bitcoin .ethereum ethereum/keystore .electrum electrum/wallets .monero .config/solana",
    ),
    files: words(
      "wallet.dat *.wallet utc--* *.keys *seed-phrase*.txt *seed_phrase*.txt *seedphrase*.txt",
    ),
  },
  {
    reason: "a messenger's keys",
    folders: ["tdata", "signal/sql"],
    files: ["signal/config.json"],
  },
  {
    reason: "version control data",
    folders: [".git", ".hg", ".svn", ".subversion", ".bzr"],
  },
];

/** Hidden by convention rather than by a dot: refused unless an allowed folder is inside them. */
export const HIDDEN_FOLDERS: readonly string[] = [
  "appdata/local",
  "appdata/locallow",
  "appdata/roaming",
  "library/application support",
  "library/containers",
  "library/group containers",
  "library/preferences",
  "library/caches",
  "$recycle.bin",
  "system volume information",
];
