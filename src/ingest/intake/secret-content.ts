// Refuses content with keys or tokens in it before it is stored, regardless of the file's name.
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { denied } from "../../domain/errors.ts";
import { binaryKey } from "../../domain/secrets/private-keys.ts";
import { openSecretScan } from "../../domain/secrets/secret-text.ts";
import { secretKind } from "./secrets.ts";

const HEAD_BYTES = 16;
const PIECE = 65_536;

/** For uploads, which have a name but no path. */
export function refuseSecretName(filename: string): void {
  const kind = secretKind(filename);
  if (kind !== undefined) throw denied("secretName", kind);
}

/** Throws ACCESS_DENIED as soon as a secret is found. */
export function openByteCheck() {
  const scan = openSecretScan({ of: "bytes" });
  const seen = { head: Buffer.alloc(0), sizeBytes: 0 };
  return {
    push(part: Uint8Array) {
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      if (seen.head.length < HEAD_BYTES) {
        seen.head = Buffer.concat([seen.head, bytes.subarray(0, HEAD_BYTES - seen.head.length)]);
      }
      seen.sizeBytes += bytes.length;
      refuse(scan.push(bytes.toString("latin1")));
    },
    end() {
      refuse(scan.end());
      refuse(binaryKey(seen.head, seen.sizeBytes));
    },
  };
}

/** Extracted text may reveal secrets that the bytes hide, as in a compressed page or a scan. */
export async function refuseSecretText(text: string, signal: AbortSignal): Promise<void> {
  const scan = openSecretScan({ of: "text" });
  for (let at = 0; at < text.length; at += PIECE) {
    refuse(scan.push(text.slice(at, at + PIECE)));
    await yieldToLoop();
    signal.throwIfAborted();
  }
  refuse(scan.end());
}

function refuse(kind: string | undefined): void {
  if (kind !== undefined) throw denied("secretContent", kind);
}
