import type { Transport } from "@modelcontextprotocol/client";

/** A way to speak with a server. */
export type ServerTransport = {
  transport: Transport;
  /** @returns why the connection cannot be used, as a sentence, once that is known. */
  findProblem: () => string | undefined;
  /** Sentences that help to find out why it could not be used, from what a program wrote and may use; empty if there are none. */
  describeCircumstances: () => string;
};

/** Longest message of a server: an image of the size of an artifact fits in it as base64. */
export const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;

export const TOO_LONG = `The server has sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB, so the connection was closed.`;
