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

/** `marks`: one or more, separated by spaces. */
const kinds = (name: string, marks: string, body: string, more: Partial<TokenKind> = {}) =>
  marks
    .split(" ")
    .map((mark): TokenKind => ({ name, mark, form: `(${body})(?![A-Za-z0-9_])`, ...more }));

export const TOKENS: readonly TokenKind[] = [
  kinds("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{36}"),
  kinds("a GitHub token", "github_pat_", "[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
  kinds("a GitLab token", "glpat- gldt- glrt- glptt-", "[\\w-]{20,60}(?:\\.[\\w.]{2,40})?"),
  kinds("a Slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe-", "\\d{8,14}-[\\w-]{20,180}"),
  kinds("a Slack token", "xapp-", "\\d-[A-Z0-9]{6,14}-\\d{8,14}-[a-f0-9]{64}"),
  kinds(
    "a Slack webhook",
    "hooks.slack.com/services/",
    "T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{24}",
  ),
  kinds("a Discord webhook", "discord.com/api/webhooks/", "\\d{15,20}/[\\w-]{60,80}"),
  kinds(
    "an AWS secret key",
    "secret_access_key SECRET_ACCESS_KEY SecretAccessKey secretAccessKey",
    "",
    { form: "\\W{1,20}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", before: /^/ },
  ),
  kinds("a Google API key", "AIza", "[\\w-]{35}", { onlyInText: true }),
  kinds("a Google client secret", "GOCSPX-", "[\\w-]{28}"),
  kinds("a Google access token", "ya29.", "[\\w-]{60,300}"),
  kinds("an OpenAI key", "sk-proj- sk-svcacct- sk-admin-", "[\\w-]{40,90}T3BlbkFJ[\\w-]{20,90}"),
  kinds("an OpenAI key", "T3BlbkFJ", "[A-Za-z0-9]{20}", { before: /sk-[A-Za-z0-9]{20}$/ }),
  kinds(
    "an Anthropic key",
    "sk-ant-api sk-ant-admin sk-ant-oat sk-ant-ort",
    "\\d\\d-[\\w-]{60,140}",
  ),
  kinds("an OpenRouter key", "sk-or-v1-", "[a-f0-9]{64}"),
  kinds("a Groq key", "gsk_", "[A-Za-z0-9]{52}"),
  kinds("an xAI key", "xai-", "[A-Za-z0-9]{80}"),
  kinds("a Perplexity key", "pplx-", "[A-Za-z0-9]{48}"),
  kinds("a Replicate token", "r8_", "[A-Za-z0-9]{37}"),
  kinds("a Hugging Face token", "hf_", "[A-Za-z]{34}"),
  kinds("a Stripe key", "sk_live_ rk_live_", "[A-Za-z0-9]{24,247}"),
  kinds("an npm token", "npm_", "[A-Za-z0-9]{36}"),
  kinds("a PyPI token", "pypi-AgE", "[\\w-]{60,300}"),
  kinds("a RubyGems key", "rubygems_", "[a-f0-9]{48}"),
  kinds("a Docker token", "dckr_pat_", "[\\w-]{27}"),
  kinds("an Azure storage key", "AccountKey=", "[A-Za-z0-9+/]{86}=="),
  kinds("an Azure access key", "SharedAccessKey=", "[A-Za-z0-9+/]{43}="),
  kinds("an Azure client secret", "Q~", "[\\w~.-]{31,34}", {
    before: /(?:^|[^\w~.-])[\w~.-]{3}\d$/,
  }),
  kinds("a Telegram bot token", ":AA", "[\\w-]{33}", { before: /(?:^|\D)\d{8,10}$/ }),
  kinds("a SendGrid key", "SG.", "[\\w-]{22}\\.[\\w-]{43}"),
  kinds("a Vault token", "hvs.", "[\\w-]{24,200}"),
  kinds("a Vault token", "hvb.", "[\\w-]{100,300}"),
  kinds("a Terraform token", ".atlasv1.", "[\\w-]{60,70}", { before: /[A-Za-z0-9]{14}$/ }),
  kinds("a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}"),
  kinds("a Databricks token", "dapi", "[a-f0-9]{32}(?:-\\d)?"),
  kinds("a Shopify token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}"),
  kinds("a Grafana token", "glsa_", "[A-Za-z0-9]{32}_[a-f0-9]{8}"),
  kinds("a Linear key", "lin_api_", "[A-Za-z0-9]{40}"),
  kinds("a Notion token", "ntn_", "[A-Za-z0-9]{46}"),
  kinds("a Figma token", "figd_", "[\\w-]{40}"),
  kinds("a Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
  kinds("a Pulumi token", "pul-", "[a-f0-9]{40}"),
  kinds("a Supabase token", "sbp_", "[a-f0-9]{40}"),
  kinds("a Tailscale key", "tskey-", "(?:auth|api)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}"),
  kinds("an age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
].flat();

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
