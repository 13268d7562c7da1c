// A real issuer on loopback with real keys; only its login page is missing.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INHERITED } from "../../../test/support/inherited.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { describeHolder, parseGrant } from "../../domain/call/grants.ts";
import { openOauth } from "./oauth.ts";

const RESOURCE = "https://kb.example.com/mcp";
const log = silentLog();
let server: Server;
let issuer: string;
let key: CryptoKey;
let unusable: readonly string[];

beforeAll(async () => {
  const pair = await generateKeyPair("ES256");
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" };
  const keySets = new Map([
    ["/keys", JSON.stringify({ keys: [jwk] })],
    ["/many", JSON.stringify({ keys: [jwk, ...Array(5_000).fill({ kty: "EC", kid: "x" })] })],
    ["/deep", `{"keys":[${JSON.stringify(jwk)}],"more":${"[".repeat(9_000)}${"]".repeat(9_000)}}`],
    ["/large", JSON.stringify({ keys: [{ ...jwk, x5c: "x".repeat(2_000_000) }] })],
    ["/padded", `${" ".repeat(2_000_000)}${JSON.stringify({ keys: [jwk] })}`],
    ["/list", JSON.stringify([jwk])],
    ["/null", "null"],
    ["/cut", JSON.stringify({ keys: [jwk] }).slice(0, -2)],
  ]);
  unusable = [...keySets.keys()].filter((path) => path !== "/keys");
  server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/json");
    if (url.includes("/endless")) return sendEndlessly(response);
    response.end(keySets.get(url) ?? JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const CHUNK = " ".repeat(65_536);
const sent = { bytes: 0 };

/** Until the client has had enough. */
function sendEndlessly(response: ServerResponse): void {
  const more = () => {
    sent.bytes += CHUNK.length;
    if (!response.destroyed) response.write(CHUNK);
  };
  response.on("drain", more);
  more();
}

interface Claims {
  readonly audience?: string;
  readonly issuedBy?: string;
  readonly scope?: string;
  readonly expires?: string;
  readonly signWith?: CryptoKey;
}

const sign = ({
  audience = RESOURCE,
  issuedBy = issuer,
  scope = "knowledge:read",
  expires = "5m",
  signWith = key,
}: Claims) =>
  new SignJWT({ scope })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setSubject("alice")
    .setIssuer(issuedBy)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(signWith);

test("a token for this server has the rights of its scopes", async () => {
  const oauth = openOauth({ issuer, resource: RESOURCE, log });
  const principal = await oauth.authenticate(
    await sign({ scope: "openid knowledge:read knowledge:write" }),
  );
  expect(principal).toEqual({ name: "oauth:alice", rights: new Set(["read", "write"]) });
});

test("a token that is foreign, expired, forged or without one of our scopes is refused", async () => {
  const oauth = openOauth({ issuer, resource: RESOURCE, log });
  const { privateKey: stolen } = await generateKeyPair("ES256");
  const refused = [
    await sign({ audience: "https://other.example.com/mcp" }),
    await sign({ issuedBy: "https://other-issuer.example.com" }),
    await sign({ expires: "-5m" }),
    await sign({ signWith: stolen }),
    await sign({ scope: "openid" }),
    "not.a.token",
  ];
  for (const token of refused) expect(await oauth.authenticate(token)).toBeUndefined();
});

test("a scope named like a property of every object grants nothing", async () => {
  const oauth = openOauth({ issuer, resource: RESOURCE, log });
  for (const scope of INHERITED) {
    expect(await oauth.authenticate(await sign({ scope })), scope).toBeUndefined();
  }
  const all = await oauth.authenticate(
    await sign({ scope: `${INHERITED.join(" ")} knowledge:read` }),
  );
  expect(all?.rights).toEqual(new Set(["read"]));
});

test("a scope of the token may name a scope of the knowledge base", async () => {
  const { authenticate } = openOauth({ issuer, resource: RESOURCE, log });
  const scope = "knowledge:read:checkout-api knowledge:write:webapp/** knowledge:owner:webapp";
  const principal = await authenticate(await sign({ scope }));
  expect(principal && describeHolder(principal)).toEqual(["read:checkout-api", "write:webapp/**"]);
});

const GROUPS = new Map([
  ["payments", "read:checkout-api"],
  ["ops", "admin"],
]);

test.each<[string, unknown, readonly string[] | undefined]>([
  ["a list", ["payments", "ops", "unknown", 7, null], ["read:checkout-api", "admin"]],
  ["one name", "payments", ["read:checkout-api"]],
  ["a list of other groups", ["unknown", "__proto__"], undefined],
  ["an object", { payments: true }, undefined],
  ["missing", undefined, undefined],
])("groups that are %s grant what the token file says", async (_what, groups, grants) => {
  const grantsOf = (name: string) => {
    const grant = parseGrant(GROUPS.get(name) ?? "");
    return grant ? [grant] : [];
  };
  const by = { claim: "groups", grantsOf };
  const { authenticate } = openOauth({ issuer, resource: RESOURCE, groups: by, log });
  const principal = await authenticate(await signClaims({ scope: "openid", groups }));
  expect(principal && describeHolder(principal)).toEqual(grants);
});

const signClaims = (claims: object) =>
  new SignJWT({ scope: "knowledge:read", sub: "alice", ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setIssuer(issuer)
    .setAudience(RESOURCE)
    .setExpirationTime("5m")
    .sign(key);

test.each(
  Object.entries({
    "a number": 7,
    zero: 0,
    "a fraction": -1.5,
    "a truth value": true,
    null: null,
    missing: undefined,
    "an empty list": [],
    "a list": ["alice"],
    "an empty object": {},
    "an object": { name: "alice" },
    "an empty text": "",
    "a text that is too long": "x".repeat(256),
    "a text with a zero byte": "a\0b",
    "a text with a line break": "a\nb",
    "a text with an escape sequence": "a\u001b[2Jb",
    "a text with a delete character": "a\u007fb",
    "a text with a C1 control": "a\u0085b",
    "a text with a line separator": "a\u2028b",
    "a text written backwards": "a\u202eb",
    "a text with an invisible character": "a\u200bb",
    "half a character": "\ud800",
  }),
)("a token whose subject is %s is refused", async (_what, sub) => {
  const { authenticate } = openOauth({ issuer, resource: RESOURCE, log });
  expect(await authenticate(await signClaims({ sub }))).toBeUndefined();
});

test.each(["7", "auth0|5f7c", "Zoë Müller", "山田", "x".repeat(255)])(
  "a token of the subject %j is accepted under its own name",
  async (sub) => {
    const { authenticate } = openOauth({ issuer, resource: RESOURCE, log });
    expect((await authenticate(await signClaims({ sub })))?.name).toBe(`oauth:${sub}`);
  },
);

test.each(
  Object.entries({
    "a number": 7,
    "a truth value": true,
    null: null,
    "an empty list": [],
    "a list": ["knowledge:read"],
    "an object": { "knowledge:read": true },
    "an empty text": "",
    "a blank": " ",
  }),
)("a scope that is %s grants nothing", async (_what, scope) => {
  const { authenticate } = openOauth({ issuer, resource: RESOURCE, log });
  const claims = { scope, scp: "knowledge:admin", groups: ["knowledge:admin"] };
  expect(await authenticate(await signClaims(claims))).toBeUndefined();
});

test("keys that are too many, too large, too deep or endless are not used", async () => {
  const token = await sign({});
  for (const path of [...unusable, "/endless"]) {
    const jwksUrl = `${issuer}${path}`;
    const { authenticate } = openOauth({ issuer, resource: RESOURCE, jwksUrl, log });
    expect(await authenticate(token), path).toBeUndefined();
  }
  const jwksUrl = `${issuer}/keys`;
  const { authenticate } = openOauth({ issuer, resource: RESOURCE, jwksUrl, log });
  expect(await authenticate(token)).toBeDefined();
});

test("metadata of the issuer that is endless is not read to its end", async () => {
  const large = `${issuer}/endless-issuer`;
  const { authenticate } = openOauth({ issuer: large, resource: RESOURCE, log });
  sent.bytes = 0;
  expect(await authenticate(await sign({ issuedBy: large }))).toBeUndefined();
  // What fits into the buffers between the two; in the time that a fetch may take it would be gigabytes.
  expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
});

test("the metadata names the issuer, and its address follows RFC 9728", () => {
  const oauth = openOauth({ issuer, resource: RESOURCE, log });
  expect(oauth.metadataPath).toBe("/.well-known/oauth-protected-resource/mcp");
  expect(oauth.metadata).toMatchObject({ resource: RESOURCE, authorization_servers: [issuer] });
  expect(oauth.challenge).toContain(
    "https://kb.example.com/.well-known/oauth-protected-resource/mcp",
  );
});
