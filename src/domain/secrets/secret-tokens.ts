// Tokens whose form shows which service issued them. `mark` is where a scan stops to look. A token counts only if its
// body looks random: manuals are full of made-up ones.

export interface TokenKind {
  readonly name: string;
  readonly mark: string;
  /** What follows the mark; its first group is the body whose randomness decides. */
  readonly form: string;
  /** For marks inside a token or a word: what must end right before them. */
  readonly before?: RegExp;
  /** Public by design in web pages, so counted in the text that people read, not in a page's scripts. */
  readonly onlyInText?: true;
}

const kind = (
  name: string,
  mark: string,
  body: string,
  more: Partial<TokenKind> = {},
): TokenKind => ({
  name,
  mark,
  form: `(${body})(?![A-Za-z0-9_])`,
  ...more,
});

const GITHUB = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((mark) =>
  kind("a GitHub token", mark, "[A-Za-z0-9]{36}"),
);
const GITLAB = ["glpat-", "gldt-", "glrt-", "glptt-"].map((mark) =>
  kind("a GitLab token", mark, "[\\w-]{20,60}(?:\\.[\\w.]{2,40})?"),
);
const SLACK = ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-"].map((mark) =>
  kind("a Slack token", mark, "\\d{8,14}-[\\w-]{20,180}"),
);
const SECRET_ACCESS_KEY = "\\W{1,20}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])";
const AWS = ["secret_access_key", "SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey"].map(
  (mark): TokenKind => ({ name: "an AWS secret key", mark, form: SECRET_ACCESS_KEY, before: /^/ }),
);
const OPENAI = ["sk-proj-", "sk-svcacct-", "sk-admin-"].map((mark) =>
  kind("an OpenAI key", mark, "[\\w-]{40,90}T3BlbkFJ[\\w-]{20,90}"),
);
const STRIPE = ["sk_live_", "rk_live_"].map((mark) =>
  kind("a Stripe key", mark, "[A-Za-z0-9]{24,247}"),
);
const SHOPIFY = ["shpat_", "shpca_", "shppa_", "shpss_"].map((mark) =>
  kind("a Shopify token", mark, "[a-fA-F0-9]{32}"),
);
const DIGITAL_OCEAN = ["dop_v1_", "doo_v1_", "dor_v1_"].map((mark) =>
  kind("a DigitalOcean token", mark, "[a-f0-9]{64}"),
);

export const TOKENS: readonly TokenKind[] = [
  ...GITHUB,
  kind("a GitHub token", "github_pat_", "[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
  ...GITLAB,
  ...SLACK,
  kind("a Slack token", "xapp-", "\\d-[A-Z0-9]{6,14}-\\d{8,14}-[a-f0-9]{64}"),
  kind(
    "a Slack webhook",
    "hooks.slack.com/services/",
    "T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{24}",
  ),
  kind("a Discord webhook", "discord.com/api/webhooks/", "\\d{15,20}/[\\w-]{60,80}"),
  ...AWS,
  kind("a Google API key", "AIza", "[\\w-]{35}", { onlyInText: true }),
  kind("a Google client secret", "GOCSPX-", "[\\w-]{28}"),
  kind("a Google access token", "ya29.", "[\\w-]{60,300}"),
  ...OPENAI,
  kind("an OpenAI key", "T3BlbkFJ", "[A-Za-z0-9]{20}", { before: /sk-[A-Za-z0-9]{20}$/ }),
  ...["api", "admin", "oat", "ort"].map((use) =>
    kind("an Anthropic key", `sk-ant-${use}`, "\\d\\d-[\\w-]{60,140}"),
  ),
  kind("an OpenRouter key", "sk-or-v1-", "[a-f0-9]{64}"),
  kind("a Groq key", "gsk_", "[A-Za-z0-9]{52}"),
  kind("an xAI key", "xai-", "[A-Za-z0-9]{80}"),
  kind("a Perplexity key", "pplx-", "[A-Za-z0-9]{48}"),
  kind("a Replicate token", "r8_", "[A-Za-z0-9]{37}"),
  kind("a Hugging Face token", "hf_", "[A-Za-z]{34}"),
  ...STRIPE,
  kind("an npm token", "npm_", "[A-Za-z0-9]{36}"),
  kind("a PyPI token", "pypi-AgE", "[\\w-]{60,300}"),
  kind("a RubyGems key", "rubygems_", "[a-f0-9]{48}"),
  kind("a Docker token", "dckr_pat_", "[\\w-]{27}"),
  kind("an Azure storage key", "AccountKey=", "[A-Za-z0-9+/]{86}=="),
  kind("an Azure access key", "SharedAccessKey=", "[A-Za-z0-9+/]{43}="),
  kind("an Azure client secret", "Q~", "[\\w~.-]{31,34}", {
    before: /(?:^|[^\w~.-])[\w~.-]{3}\d$/,
  }),
  kind("a Telegram bot token", ":AA", "[\\w-]{33}", { before: /(?:^|\D)\d{8,10}$/ }),
  kind("a SendGrid key", "SG.", "[\\w-]{22}\\.[\\w-]{43}"),
  kind("a Vault token", "hvs.", "[\\w-]{24,200}"),
  kind("a Vault token", "hvb.", "[\\w-]{100,300}"),
  kind("a Terraform token", ".atlasv1.", "[\\w-]{60,70}", { before: /[A-Za-z0-9]{14}$/ }),
  ...DIGITAL_OCEAN,
  kind("a Databricks token", "dapi", "[a-f0-9]{32}(?:-\\d)?"),
  ...SHOPIFY,
  kind("a Grafana token", "glsa_", "[A-Za-z0-9]{32}_[a-f0-9]{8}"),
  kind("a Linear key", "lin_api_", "[A-Za-z0-9]{40}"),
  kind("a Notion token", "ntn_", "[A-Za-z0-9]{46}"),
  kind("a Figma token", "figd_", "[\\w-]{40}"),
  kind("a Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
  kind("a Pulumi token", "pul-", "[a-f0-9]{40}"),
  kind("a Supabase token", "sbp_", "[a-f0-9]{40}"),
  kind("a Tailscale key", "tskey-", "(?:auth|api)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}"),
  kind("an age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
];

/** Published as examples by the services that issue such tokens, or meant for local emulators. */
const EXAMPLES = [
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
  "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
];
const MADE_UP =
  /example|sample|placeholder|dummy|redacted|insert|changeme|personal|token|secret|xxxxx|00000|12345|abcde/i;
const SOME_ENTROPY = 3;
const SHORT = 24;

/** Whether a token's body is random rather than made up by an author. */
export function looksRandom(body: string): boolean {
  if (MADE_UP.test(body) || EXAMPLES.some((example) => body.includes(example))) return false;
  const counts = new Map<string, number>();
  let steps = 0;
  for (let at = 0; at < body.length; at += 1) {
    const one = body.charAt(at);
    counts.set(one, (counts.get(one) ?? 0) + 1);
    const step = body.charCodeAt(at) - body.charCodeAt(at - 1);
    if (step === 1 || step === 0 || step === -1) steps += 1;
  }
  // Runs up or down the alphabet; among sixteen letters chance alone makes one step in five.
  if (steps > body.length / 2) return false;
  const entropy = [...counts.values()].reduce((sum, count) => {
    const share = count / body.length;
    return sum - share * Math.log2(share);
  }, 0);
  const hex = /^[a-f0-9-]+$/i.test(body);
  return entropy >= (hex || body.length < SHORT ? SOME_ENTROPY : SOME_ENTROPY + 0.5);
}
