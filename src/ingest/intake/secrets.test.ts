import { chmod, link, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import { openPathGate, type PathGateOptions } from "./path-gate.ts";
import { SECRET_PLACES } from "./secret-places.ts";
import { isHidden, isSecret, secretKind } from "./secrets.ts";

/** One path of each kind, as found in a home folder or on a system. */
const SECRETS = `
.ssh/id_ed25519 .ssh/config keys/id_rsa backup/id_rsa.old id_ecdsa.txt ssh_host_rsa_key etc/ssh/ssh_host_ed25519_key
laptop.ppk .gnupg/secring.gpg .gnupg/private-keys-v1.d/A.key AppData/Roaming/gnupg/pubring.kbx
server.pem tls/server.key cert.p12 cert.pfx AuthKey_X.p8 release.keystore debug.jks http.keytab krb5cc_1000 login.keychain-db
.env .env.production app/prod.env .envrc .dev.vars local.settings.json run/secrets/token .netrc _netrc .authinfo.gpg
credentials credentials.json credentials.csv secrets.yaml secret.json auth.json creds.json bob_credentials.csv
bob_accessKeys.csv rootkey.csv .vault-token .htpasswd htpasswd vault_pass.txt
.claude/.credentials.json .claude.json .claude.json.backup .claude/settings.local.json .claude/history.jsonl
.claude/projects/p/session.jsonl .codex/auth.json .codex/history.jsonl .gemini/oauth_creds.json .gemini/settings.json
.cursor/mcp.json .continue/config.json .continue/config.yaml .aider.conf.yml .aider.chat.history.md
.config/github-copilot/hosts.json .config/github-copilot/apps.json .local/share/opencode/auth.json .config/goose/config.yaml
.codeium/config.json mcp.json cline_mcp_settings.json Library/Application_Support/Claude/claude_desktop_config.json
.config/io.datasette.llm/keys.json .mozilla/firefox/x.default/logins.json profile/key4.db profile/cookies.sqlite
.config/google-chrome/Default/Cookies .config/chromium/Default/x.json .config/BraveSoftware/Brave-Browser/x.json
.config/microsoft-edge/Default/x .config/vivaldi/x .config/opera/x Library/Safari/History.txt Library/Cookies/x
AppData/Roaming/Mozilla/Firefox/Profiles/x/prefs.txt .thunderbird/x/prefs.txt
.kube/config kubeconfig kubeconfig.json prod-kubeconfig.yaml prod.kubeconfig .minikube/x.json etc/kubernetes/admin.conf
.aws/credentials .aws/config .azure/accessTokens.json .config/gcloud/application_default_credentials.json
AppData/Roaming/gcloud/credentials.db .oci/config .config/doctl/config.yaml .bluemix/config.json .fly/config.yml
.wrangler/config/default.toml .vercel/auth.json com.vercel.cli/auth.json .netlify/config.json .config/gh/hosts.yml
.config/glab-cli/config.yml .config/configstore/firebase-tools.json .terraform.d/credentials.tfrc.json terraform.tfstate
prod.tfstate.json prod.tfvars prod.auto.tfvars.json .boto .s3cfg rclone.conf .databrickscfg .dbt/profiles.yml
service-account.json service_account_prod.json client_secret_123.json shop-firebase-adminsdk-x1.json gha-creds-12.json
.docker/config.json .dockercfg containers/auth.json .npmrc .yarnrc.yml .pypirc pip.conf .gem/credentials .bundle/config
.cargo/credentials.toml .m2/settings.xml gradle.properties nuget.config .condarc
work.kdbx old.kdb vault.1pux bitwarden_export_20250101.json lastpass_export.csv Chrome_Passwords.csv passwords.txt
.password-store/mail.gpg .local/share/keyrings/login.keyring Library/Keychains/login.txt github-recovery-codes.txt
msal_token_cache.json msal_token_cache.bin api.token token.json token.pickle .cache/huggingface/token .git-credentials
.sentryclirc .gitcookies .pgpass pgpass.conf .my.cnf .mylogin.cnf .pg_service.conf
etc/NetworkManager/system-connections/home.nmconnection wpa_supplicant.conf office.ovpn wifi.mobileconfig wg0.conf
etc/wireguard/wg0.conf ipsec.secrets chap-secrets etc/shadow etc/shadow- etc/gshadow ntds.dit unattend.xml
.bash_history .zsh_history .python_history .psql_history .local/share/fish/fish_history ConsoleHost_history.txt .viminfo
.bitcoin/wallet.dat wallet.dat main.wallet keystore/UTC--2024-01-01T00-00-00Z--ab .electrum/wallets/default_wallet
.config/solana/id.json my-seed-phrase.txt Telegram/tdata/key_datas Signal/config.json .git/config .svn/wc.db .hg/hgrc
`
  .trim()
  .split(/\s+/);

const DOCUMENTS = `
report.pdf notes.md environment.md keynote.pdf credentials-policy.docx keys-to-success.docx secretary.txt secrets-management.md
passwords.md password-policy.pdf kubeconfig.md tokens.json tokenizer.json access_token.md cookies.txt history.txt wallet.md
company_history.txt ssh-guide.html docker-compose.json aws/overview.md gcloud/setup.md solana/readme.md exodus/chapter-1.md
bitwarden/howto.md wireguard/guide.md openvpn/install.txt google/chrome/release-notes.html kubernetes/pods.md github.md
authorised.json authors.json shadowing.md terraform.md gitignore.txt environment/air.csv keyboard.txt monkey.json keys/overview.md
profiles/anna.docx Library/Mobile_Documents/notes.md certificates/course.pdf cert.md sample.txt …and-then.md`
  .trim()
  .split(/\s+/);

describe("names", () => {
  test.each(SECRETS)("%s is a secret", (path) => {
    expect(secretKind(`/home/me/${path}`)).toBeTypeOf("string");
  });

  test.each(DOCUMENTS)("%s is a document", (path) => {
    expect(secretKind(`/home/me/${path}`)).toBeUndefined();
    expect(isHidden(path)).toBe(false);
  });

  test("every listed entry has a reason and is refused", () => {
    for (const { reason, folders = [], files = [] } of SECRET_PLACES) {
      expect(reason).not.toBe("");
      for (const folder of folders)
        expect([folder, isSecret(`/r/${folder}/a.txt`)]).toEqual([folder, true]);
      for (const file of files) expect([file, isSecret(`/r/${file}`)]).toEqual([file, true]);
    }
  });

  const spelling = fc.constantFrom<(path: string) => string>(
    (path) => path,
    (path) => path.toUpperCase(),
    (path) => path.normalize("NFD"),
    (path) => path.replaceAll("/", "\\"),
    (path) => path.replace(/[a-z]/, (letter) => `${letter}\u200b`),
    (path) =>
      path.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    (path) => path.replace("k", "\u212a"),
    (path) => path.replace(/\./, "\uff0e"),
    (path) => `${path}.`,
    (path) => `${path} . `,
    (path) => `${path}::$DATA`,
    (path) => `${path}:stream.txt`,
    (path) => path.replace("/", "./"),
    (path) => path.replace("/", "//"),
    (path) => `${path}.bak`,
    (path) => `${path}~`,
    (path) => `deep/er/${path}`,
  );

  test("every other spelling of a secret's path is refused too", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), spelling, spelling, (path, one, other) => {
        expect([path, isSecret(`/home/me/${other(one(path))}`)]).toEqual([path, true]);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("the gate", () => {
  let base = "";
  beforeAll(async () => {
    base = tempFolder("secrets");
    const files = [
      ...SECRETS.map((path) => `home/${path}`),
      ...DOCUMENTS.map((path) => `home/${path}`),
      "home/.notes/a.md",
      "home/.notes/.drafts/b.md",
      "home/.notes/.ssh/c.md",
      "home/.plan.md",
      "home/own/settings.json",
      "home/own/data/knowledge.db",
      "home/own/data/folders/ledger.json",
      "home/AppData/Roaming/App/d.md",
    ];
    for (const path of files) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await writeFile(join(base, path), "text");
    }
    await symlink(join(base, "home/.notes/a.md"), join(base, "home/linked.md"));
    await symlink(join(base, "home/.notes"), join(base, "home/visible"));
    await symlink(join(base, "home/profiles"), join(base, "home/.alias"));
    await symlink(join(base, "home/own/settings.json"), join(base, "home/settings-link.json"));
    await link(join(base, "home/own/settings.json"), join(base, "home/settings-twin.json"));
    await link(join(base, "home/own/data/knowledge.db"), join(base, "home/database-twin.txt"));
    await link(
      join(base, "home/own/data/folders/ledger.json"),
      join(base, "home/ledger-twin.json"),
    );
    await link(join(base, "home/report.pdf"), join(base, "home/report-twin.pdf"));
  });

  async function outcome(path: string, roots: PathGateOptions["roots"] = [join(base, "home")]) {
    const closed = [join(base, "home/own/settings.json"), join(base, "home/own/data")];
    const gate = openPathGate({ roots, closed, home: join(base, "home"), workingDirectory: base });
    try {
      await (await gate.open(join(base, "home", path))).handle.close();
      return "opened";
    } catch (thrown) {
      const { code, message } = toKnowledgeError(thrown);
      expect(message).not.toContain(base);
      return code;
    }
  }

  test("no secret of a home folder is opened, and every document is", async () => {
    for (const path of SECRETS) {
      expect([path, await outcome(path)]).toEqual([path, "ACCESS_DENIED"]);
      expect([path, await outcome(path, "anywhere")]).toEqual([path, "ACCESS_DENIED"]);
    }
    for (const path of DOCUMENTS) expect([path, await outcome(path)]).toEqual([path, "opened"]);
  });

  test("hidden files are allowed only below a root that names them", async () => {
    for (const path of [".notes/a.md", ".plan.md", ".alias/anna.docx", "linked.md", "visible/a.md"])
      expect([path, await outcome(path)]).toEqual([path, "ACCESS_DENIED"]);
    expect(await outcome("AppData/Roaming/App/d.md")).toBe("ACCESS_DENIED");
    const named = [join(base, "home/.notes"), join(base, "home/AppData/Roaming/App")];
    expect(await outcome(".notes/a.md", named)).toBe("opened");
    expect(await outcome("visible/a.md", named)).toBe("opened");
    expect(await outcome("linked.md", named)).toBe("opened");
    expect(await outcome("AppData/Roaming/App/d.md", named)).toBe("opened");
    expect(await outcome(".notes/.drafts/b.md", named)).toBe("ACCESS_DENIED");
    expect(await outcome(".notes/.ssh/c.md", named)).toBe("ACCESS_DENIED");
    expect(await outcome(".notes/.ssh/c.md", [join(base, "home/.notes/.ssh")])).toBe(
      "ACCESS_DENIED",
    );
    expect(await outcome(".notes/a.md", [join(base, "home"), ...named])).toBe("opened");
    expect(await outcome("visible/a.md", [join(base, "home/visible")])).toBe("opened");
  });

  test("a hidden file may be named directly, but not by a link", async () => {
    expect(await outcome(".notes/a.md", "anywhere")).toBe("opened");
    expect(await outcome(".plan.md", "anywhere")).toBe("opened");
    expect(await outcome("visible/a.md", "anywhere")).toBe("opened");
    expect(await outcome("linked.md", "anywhere")).toBe("ACCESS_DENIED");
    expect(await outcome(".notes/.ssh/c.md", "anywhere")).toBe("ACCESS_DENIED");
  });

  test("the server's own files are refused under every name", async () => {
    for (const path of [
      "own/settings.json",
      "own/data/folders/ledger.json",
      "settings-link.json",
      "settings-twin.json",
      "database-twin.txt",
      "ledger-twin.json",
    ]) {
      expect([path, await outcome(path)]).toEqual([path, "ACCESS_DENIED"]);
      expect([path, await outcome(path, "anywhere")]).toEqual([path, "ACCESS_DENIED"]);
    }
    expect(await outcome("report-twin.pdf")).toBe("opened");
  });

  test("nothing is opened if a folder of the server's own leads nowhere", async () => {
    await symlink(join(base, "home/round"), join(base, "home/round"));
    const gate = openPathGate({
      roots: [join(base, "home")],
      closed: [join(base, "home/round")],
      home: join(base, "home"),
      workingDirectory: base,
    });
    await expect(gate.open("home/report.pdf")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  // The superuser may look everywhere, and Windows has no such modes.
  const canClose = process.platform !== "win32" && process.getuid?.() !== 0;
  test.runIf(canClose).each([
    ["its data folder", "home/own/data", 0o000],
    ["the folder around its data folder", "home/own", 0o000],
    ["a folder in its data folder", "home/own/data/folders", 0o000],
    ["the files of a folder in its data folder", "home/own/data/folders", 0o444],
  ])(
    "a file with two names is refused if the server cannot look into %s",
    async (_, name, mode) => {
      const folder = join(base, name);
      await chmod(folder, mode);
      try {
        for (const path of ["ledger-twin.json", "report-twin.pdf"]) {
          expect([path, await outcome(path)]).toEqual([path, "ACCESS_DENIED"]);
          expect([path, await outcome(path, "anywhere")]).toEqual([path, "ACCESS_DENIED"]);
        }
      } finally {
        await chmod(folder, 0o755);
      }
    },
  );
});
