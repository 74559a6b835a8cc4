import { parentPort } from "node:worker_threads";
import { getErrorMessage } from "@/lib/error-message";
import type { ReadDocument, ThreadReply } from "./read-document";

/** Runs the program of a thread: says that it is ready, and reads the one document that it gets. */
export const runThread = <Input>(
  read: (input: Input) => ReadDocument | Promise<ReadDocument>,
): void => {
  const reply = (message: ThreadReply): void => parentPort?.postMessage(message);
  parentPort?.once("message", (input: Input) => {
    (async () => read(input))().then(
      (document) => reply({ type: "read", document }),
      (error: unknown) => reply({ type: "failed", reason: getErrorMessage(error) }),
    );
  });
  reply({ type: "ready" });
};
