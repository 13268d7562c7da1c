// The thread's side: serves one call at a time and replies to each, even if it fails. The next call is only sent after
// the reply to the one before.
import type { MessagePort } from "node:worker_threads";
import { toStoreError } from "../failures.ts";
import { type CallMessage, type ReplyMessage, toWireError } from "./call-messages.ts";

export function serveCalls(port: MessagePort, serve: (call: CallMessage) => unknown): void {
  const replyTo = async (call: CallMessage): Promise<ReplyMessage> => {
    try {
      return { id: call.id, result: await serve(call) };
    } catch (thrown) {
      return { id: call.id, error: toWireError(toStoreError(thrown)) };
    }
  };
  port.on("message", async (call: CallMessage) => {
    const reply = await replyTo(call);
    try {
      port.postMessage(reply);
    } catch (thrown) {
      port.postMessage({ id: call.id, unsendable: String(thrown) } satisfies ReplyMessage);
    }
    if (call.method === "close") port.close();
  });
}
