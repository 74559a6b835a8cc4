import type { ErrorKind } from "@/contract/chat-error";

/** A failure of a model call whose kind is known where it is thrown. */
export class ModelCallError extends Error {
  override readonly name = "ModelCallError";

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly retryable = false,
  ) {
    super(message);
  }
}
