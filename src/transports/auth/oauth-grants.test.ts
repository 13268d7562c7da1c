// Tokens without a person at a login page: client credentials, and enterprise-managed authorization, where the company's
// identity provider signs a grant (ID-JAG) that the issuer exchanges for an access token. Both issuers are real, on
// loopback, with real keys.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { openOauth } from "./oauth.ts";

const RESOURCE = "https://kb.example.com/mcp";
const COMPANY = "https://login.company.example";
const CLIENT = "agent-7";
const SECRET = "a long secret";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const log = silentLog();

let server: Server;
let issuer: string;
let issuerKey: CryptoKey;
let company: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };

interface Signed {
  readonly claims: JWTPayload;
  readonly typ?: string;
  readonly by?: CryptoKey;
}

const sign = ({ claims, typ = "at+jwt", by = issuerKey }: Signed) =>
  new SignJWT({ iss: issuer, aud: RESOURCE, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k1", typ })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(by);

/** As the company's identity provider signs it for one client and one resource. */
const grant = (claims: JWTPayload = {}, by = company.privateKey) =>
  sign({
    typ: "oauth-id-jag+jwt",
    by,
    claims: {
      iss: COMPANY,
      aud: issuer,
      sub: "alice",
      client_id: CLIENT,
      resource: RESOURCE,
      ...claims,
    },
  });

async function tokenFor(request: IncomingMessage): Promise<string | undefined> {
  const form = new URLSearchParams(await text(request));
  if (form.get("client_id") !== CLIENT || form.get("client_secret") !== SECRET) return undefined;
  const scope = form.get("scope") ?? "";
  const client = { client_id: CLIENT, scope };
  if (form.get("grant_type") === "client_credentials")
    return sign({ claims: { ...client, sub: CLIENT } });
  if (form.get("grant_type") !== JWT_BEARER) return undefined;
  const expected = { issuer: COMPANY, audience: issuer, typ: "oauth-id-jag+jwt" };
  const { payload } = await jwtVerify(form.get("assertion") ?? "", company.publicKey, expected);
  if (payload["client_id"] !== CLIENT) return undefined;
  return sign({ claims: { ...client, sub: payload.sub ?? "", aud: String(payload["resource"]) } });
}

beforeAll(async () => {
  const pair = await generateKeyPair("ES256");
  issuerKey = pair.privateKey;
  company = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" };
  server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/keys") return void response.end(JSON.stringify({ keys: [jwk] }));
    if (request.method !== "POST")
      return void response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    const token = await tokenFor(request).catch(() => undefined);
    response.statusCode = token === undefined ? 400 : 200;
    response.end(JSON.stringify(token ? { access_token: token } : { error: "invalid_grant" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function ask(form: Readonly<Record<string, string>>): Promise<string | undefined> {
  const body = new URLSearchParams({ client_id: CLIENT, client_secret: SECRET, ...form });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  return ((await response.json()) as { access_token?: string }).access_token;
}

const open = () => openOauth({ issuer, resource: RESOURCE, log });

test("a token of client credentials has the client's name and the rights of its scopes", async () => {
  const token = await ask({ grant_type: "client_credentials", scope: "knowledge:read" });
  const rights = new Set(["read"]);
  expect(await open().authenticate(token ?? "")).toEqual({ name: `oauth:${CLIENT}`, rights });
});

test("a token of client credentials without one of our scopes has no rights", async () => {
  const token = await ask({ grant_type: "client_credentials", scope: "other:read" });
  expect(token).toBeDefined();
  expect(await open().authenticate(token ?? "")).toBeUndefined();
});

test("a token exchanged for a company's grant has the person's name", async () => {
  const assertion = await grant();
  const token = await ask({ grant_type: JWT_BEARER, assertion, scope: "knowledge:write" });
  const rights = new Set(["write"]);
  expect(await open().authenticate(token ?? "")).toEqual({ name: "oauth:alice", rights });
});

test("a token that the grant made for another resource is refused", async () => {
  const assertion = await grant({ resource: "https://other.example.com/mcp" });
  const token = await ask({ grant_type: JWT_BEARER, assertion, scope: "knowledge:write" });
  expect(token).toBeDefined();
  expect(await open().authenticate(token ?? "")).toBeUndefined();
});

test("the grant itself is refused, whoever signed it and whatever it claims", async () => {
  const claims = { scope: "knowledge:admin", sub: "alice" };
  const grants = [
    await grant({ scope: "knowledge:admin" }),
    await grant({ ...claims, aud: RESOURCE }),
    await grant({ ...claims, iss: issuer, aud: RESOURCE }, issuerKey),
    await sign({ claims, typ: "logout+jwt" }),
  ];
  for (const token of grants) expect(await open().authenticate(token)).toBeUndefined();
  // The same claims in an access token are accepted, so the refusals are about its type.
  for (const typ of ["at+jwt", "JWT", "application/at+jwt"])
    expect(await open().authenticate(await sign({ claims, typ })), typ).toBeDefined();
});
