import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binaryKeys, textKeys, tokens } from "../../../test/fixtures/secrets.ts";
import { binaryKey } from "./private-keys.ts";
import { openSecretScan } from "./secret-text.ts";

function look(
  text: string,
  { of = "text", piece = 65_536 }: { of?: "text" | "bytes"; piece?: number } = {},
) {
  const scan = openSecretScan({ of });
  for (let at = 0; at < text.length; at += piece) scan.push(text.slice(at, at + piece));
  return scan.end();
}

const KEYS = textKeys();
const DRAWN = Array.from({ length: 20 }, (_, at) => tokens(`draw ${at}`)).flat();

const WRAPPINGS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "inside JSON": (text) => JSON.stringify({ private_key: text }),
  "inside JSON inside JSON": (text) => JSON.stringify({ file: JSON.stringify({ key: text }) }),
  indented: (text) => text.replace(/^/gm, "      "),
  "quoted in a mail": (text) => text.replace(/^/gm, "> "),
  "in a comment": (text) => text.replace(/^/gm, "# "),
  "as a diff": (text) => text.replace(/^/gm, "+"),
  "in one line": (text) => text.replaceAll("\n", " "),
  "without its end": (text) => text.replace(/-----END[\s\S]*/, ""),
  "after prose": (text) => `${"Plain words about keys and locks. ".repeat(3_000)}\n${text}`,
  "read as UTF-16": (text) => Buffer.from(text, "utf16le").toString("latin1"),
};
// PuTTY's own form counts lines, so it is one only where its lines are left as they are.
const LINES_ONLY = new Set([
  "as it is",
  "with CRLF",
  "after prose",
  "without its end",
  "read as UTF-16",
]);

// Their headers end where the line does.
const HEADED = new Set(["PGP", "RSA encrypted as OpenSSL did"]);

describe("private keys", () => {
  test.each(Object.entries(KEYS))("%s is found in every wrapping", (name, key) => {
    for (const [wrapping, wrap] of Object.entries(WRAPPINGS)) {
      if (name === "PuTTY" && !LINES_ONLY.has(wrapping)) continue;
      if (HEADED.has(name) && wrapping === "in one line") continue;
      expect([wrapping, look(wrap(key))]).toEqual([wrapping, expect.stringMatching(/private key/)]);
    }
  });

  test.each(Object.entries(KEYS))("a shortened %s is not a key", (name, key) => {
    if (name.includes("OpenSSL")) return;
    const lines = key.trim().split("\n");
    const body = lines.findIndex(
      (line) => /^[A-Za-z0-9+/=]{40,}$/.test(line) && !line.startsWith("AAAA"),
    );
    for (const cut of ["...", "…", "[snip]", "(more lines)"]) {
      const shortened = [
        ...lines.slice(0, body),
        `${lines[body]?.slice(0, 30)}${cut}`,
        lines.at(-1),
      ];
      expect([cut, look(shortened.join("\n"))]).toEqual([cut, undefined]);
    }
    expect(
      look(
        [...lines.slice(0, body), "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWy", lines.at(-1)].join("\n"),
      ),
    ).toBeUndefined();
    expect(
      look([...lines.slice(0, body), "YOUR PRIVATE KEY GOES HERE", lines.at(-1)].join("\n")),
    ).toBeUndefined();
  });

  test.each(Object.entries(binaryKeys()))(
    "%s is known by its bytes, whole files only",
    (_name, bytes) => {
      expect(binaryKey(bytes.subarray(0, 16), bytes.length)).toBeTypeOf("string");
      expect(binaryKey(Buffer.from("%PDF-1.7 and more of it"), 5_000)).toBeUndefined();
    },
  );

  test("public keys and certificates are not secrets", () => {
    for (const label of ["PUBLIC KEY", "CERTIFICATE", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"]) {
      const body = KEYS["RSA PKCS#1"]?.replaceAll("RSA PRIVATE KEY", label) ?? "";
      expect(look(body)).toBeUndefined();
    }
  });
});

describe("tokens", () => {
  test("a secret of each kind is found in any surroundings", () => {
    for (const { name, token } of DRAWN) {
      for (const text of [
        token,
        `key = "${token}"`,
        `KEY=${token}\n`,
        `<b>${token}</b>`,
        `| ${token} |`,
      ])
        expect([text, look(text)]).toEqual([text, name]);
    }
  });

  test("a made-up one is not", () => {
    for (const { madeUp, token } of DRAWN) {
      expect([madeUp, look(madeUp)]).toEqual([madeUp, undefined]);
      const half = token.slice(0, Math.floor(token.length / 2));
      expect([half, look(`${half}…`)]).toEqual([half, undefined]);
    }
  });

  test("documented examples are accepted", () => {
    for (const text of [
      "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;",
      "https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
      "export OPENAI_API_KEY=sk-... # or sk-proj-xxxxxxxxxxxxxxxxxxxxxxxx",
      "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
      "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
      "ghp_PersonalAccessToken01245678900000000",
      "the commit 5f3c1f0a9b1d4c3e8f7a6b5c4d3e2f1a0b9c8d7e fixed AKIA handling",
      "npm_config_registry, hf_transfer, ya29, dapi, SG., glpat-, xoxb- are prefixes",
    ])
      expect([text, look(text)]).toEqual([text, undefined]);
  });

  test("an AWS key id is a secret only next to its key, a Twilio account only next to its token", () => {
    const [id, key] = ["AKIAQ3EGPVXRH5TZWBKD", "Zk7vR2mQ9xLcT4yWb1NsHd8fJgP6uAeXo0rIiKtV"];
    expect(look(`aws_access_key_id = ${id}`)).toBeUndefined();
    expect(look(`aws_access_key_id = ${id}\naws_secret_access_key = ${key}\n`)).toBe(
      "an AWS secret key",
    );
    expect(look(`${id},${key}`)).toBe("an AWS secret key");
    const account = "AC3f8b1c9d0e7a264b5c8d9e0f1a2b7c4d";
    expect(look(`sid ${account} and md5 9e107d9d372bb6826bd81d3542a419d6`)).toBeUndefined();
    expect(look(`${account}\nTWILIO_AUTH_TOKEN=9e107d9d372bb6826bd81d3542a419d6`)).toBe(
      "a Twilio token",
    );
  });

  test("a browser key in a page's script is counted only in what people read", () => {
    const [google] = DRAWN.filter(({ name }) => name === "a Google API key");
    expect(look(`<script>key="${google?.token}"</script>`, { of: "bytes" })).toBeUndefined();
    expect(look(`our key is ${google?.token}`)).toBe("a Google API key");
  });

  test("browser cookies are found, recipes are not", () => {
    const jar = "# Netscape HTTP Cookie File\n\nexample.org\tFALSE\t/\tTRUE\t1799999999\tsid\tx1\n";
    expect(look(jar)).toBe("a browser's cookies");
    expect(look("# Netscape HTTP Cookie File\nis how such a file begins.")).toBeUndefined();
  });
});

test("it makes no difference where the text is split", () => {
  const samples = [
    ...Object.values(KEYS),
    ...DRAWN.slice(0, 60).map(({ token }) => `\n${token}\n`),
  ];
  const filler = fc
    .integer({ min: 0, max: 200_000 })
    .map((length) => "lorem ipsum ".repeat(length / 12));
  fc.assert(
    fc.property(
      filler,
      fc.constantFrom(...samples),
      filler,
      fc.integer({ min: 1_000, max: 70_000 }),
      (before, secret, after, piece) => {
        expect(look(`${before}\n${secret}${after}`, { piece })).toBeTypeOf("string");
        expect(look(`${before}\n${after}`, { piece })).toBeUndefined();
      },
    ),
    { numRuns: 60 },
  );
});
