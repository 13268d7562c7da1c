// Fake keys and tokens for tests: complete ones in every form, none of them in use.
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { TOKENS } from "../../src/domain/secrets/secret-tokens.ts";

const noise = (name: string, bytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(bytes / 64) }, (_, at) =>
      createHash("sha512").update(`${name}${at}`).digest(),
    ),
  ).subarray(0, bytes);

const armour = (label: string, bytes: Buffer, headers = "") =>
  `-----BEGIN ${label}-----\n${headers}${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;

const lengthed = (bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
};

function openSsh(): string {
  const count = Buffer.from([0, 0, 0, 1]);
  const texts = ["none", "none", ""].map((text) => lengthed(Buffer.from(text)));
  const parts = [lengthed(noise("public", 51)), lengthed(noise("private", 136))];
  const magic = Buffer.from("openssh-key-v1\0");
  return armour("OPENSSH PRIVATE KEY", Buffer.concat([magic, ...texts, count, ...parts]));
}

function putty(): string {
  const lines =
    noise("putty", 300)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQABAAABAQ==\nPrivate-Lines: ${lines.length}\n${lines.join("\n")}\nPrivate-MAC: 00\n`;
}

function pgp(): string {
  const packet = Buffer.concat([Buffer.from([0x95, 0x03, 0x98]), noise("pgp", 0x398)]);
  return armour("PGP PRIVATE KEY BLOCK", packet, "Version: GnuPG v2\nComment: a key\n\n");
}

const pem = (key: KeyObject, type: "pkcs8" | "pkcs1" | "sec1") =>
  key.export({ format: "pem", type }).toString();

/** Every form of private key in text. */
export function textKeys(): Readonly<Record<string, string>> {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const ed = generateKeyPairSync("ed25519").privateKey;
  const lock = { cipher: "aes-256-cbc", passphrase: "x" } as const;
  return {
    "RSA PKCS#8": pem(rsa, "pkcs8"),
    "RSA PKCS#1": pem(rsa, "pkcs1"),
    "RSA encrypted": rsa.export({ format: "pem", type: "pkcs8", ...lock }).toString(),
    "RSA encrypted as OpenSSL did": rsa
      .export({ format: "pem", type: "pkcs1", ...lock })
      .toString(),
    "EC PKCS#8": pem(ec, "pkcs8"),
    "EC SEC1": pem(ec, "sec1"),
    Ed25519: pem(ed, "pkcs8"),
    OpenSSH: openSsh(),
    PuTTY: putty(),
    PGP: pgp(),
  };
}

/** Binary keys and key stores. */
export function binaryKeys(): Readonly<Record<string, Buffer>> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const body = Buffer.concat([Buffer.from([2, 1, 3, 0x30]), noise("p12", 1_000)]);
  const head = Buffer.from([0x30, 0x82, body.length >> 8, body.length & 0xff]);
  return {
    "PKCS#8": privateKey.export({ format: "der", type: "pkcs8" }),
    "PKCS#1": privateKey.export({ format: "der", type: "pkcs1" }),
    SEC1: ec.export({ format: "der", type: "sec1" }),
    "PKCS#12": Buffer.concat([head, body]),
    "Java key store": Buffer.concat([Buffer.from("feedfeed00000002", "hex"), noise("jks", 500)]),
    KeePass: Buffer.concat([Buffer.from("03d9a29a67fb4bb5", "hex"), noise("kdbx", 500)]),
  };
}

export interface MadeToken {
  readonly name: string;
  readonly token: string;
  /** The same with a body that an author would type. */
  readonly madeUp: string;
}

/** A token of every kind, its body drawn from `seed`. */
export function tokens(seed: string): readonly MadeToken[] {
  return TOKENS.map(({ name, mark, form, before }) => {
    const left = before === undefined ? "" : leftOf(mark, seed);
    const drawn = noise(`${seed}${mark}`, 512);
    const body = fill(form, (letters, at) => letters[(drawn[at] ?? 0) % letters.length] ?? "");
    const typed = fill(form, (letters) => (letters.includes("x") ? "x" : (letters[0] ?? "")));
    return { name, token: `${left}${mark}${body}`, madeUp: `${left}${mark}${typed}` };
  });
}

function leftOf(mark: string, seed: string): string {
  const random = noise(seed, 40).toString("hex");
  if (mark === ":AA") return "719345682";
  if (mark === "Q~") return "aB38";
  if (mark === "T3BlbkFJ") return `sk-${random.slice(0, 20)}`;
  return mark === ".atlasv1." ? random.slice(0, 14) : "aws_";
}

const CLASSES: Readonly<Record<string, string>> = {
  "\\w": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
  "\\d": "0123456789",
  "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "a-z": "abcdefghijklmnopqrstuvwxyz",
  "0-9": "0123456789",
  "a-f": "abcdef",
  "A-F": "ABCDEF",
};

/** The shortest text of a form: enough of regular expressions for the forms of tokens. */
function fill(form: string, choose: (letters: string, at: number) => string): string {
  const plain = form
    .replace(/\(\?![^)]*\)/g, "")
    .replace(/\(\?:[^()|]*\)\?/g, "")
    .replace(/\(\?:([^|)]*)\|[^)]*\)/g, "$1")
    .replace(/[()]/g, "")
    .replace("\\W{1,20}", " = ");
  let out = "";
  const piece = /(\[[^\]]+\]|\\[wd]|\\?.)(?:\{(\d+)(?:,\d+)?\})?/g;
  for (const [, unit = "", times = "1"] of plain.matchAll(piece)) {
    const letters = lettersOf(unit);
    for (let n = 0; n < Number(times); n += 1) out += choose(letters, out.length);
  }
  return out;
}

function lettersOf(unit: string): string {
  if (!unit.startsWith("[")) return CLASSES[unit] ?? unit.replace("\\", "");
  const inner = unit.slice(1, -1);
  const named = Object.entries(CLASSES).filter(([name]) => inner.includes(name));
  const rest = named.reduce((text, [name]) => text.replace(name, ""), inner);
  return named.map(([, letters]) => letters).join("") + rest.replaceAll("\\", "");
}
