// A real issuer on loopback with real keys; only its login page is missing.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INHERITED } from "../../../test/support/inherited.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { openOauth } from "./oauth.ts";

const RESOURCE = "https://kb.example.com/mcp";
const log = silentLog();
let server: Server;
let issuer: string;
let key: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair("ES256");
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" };
  server = createServer((request, response) => {
    const body = request.url === "/keys" ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

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

test("the metadata names the issuer, and its address follows RFC 9728", () => {
  const oauth = openOauth({ issuer, resource: RESOURCE, log });
  expect(oauth.metadataPath).toBe("/.well-known/oauth-protected-resource/mcp");
  expect(oauth.metadata).toMatchObject({ resource: RESOURCE, authorization_servers: [issuer] });
  expect(oauth.challenge).toContain(
    "https://kb.example.com/.well-known/oauth-protected-resource/mcp",
  );
});
