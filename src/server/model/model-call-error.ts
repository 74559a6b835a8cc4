import type { ErrorKind } from "@/contract/chat-error";

/** A failure of a model call that is known for what it is where it happens. */
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
