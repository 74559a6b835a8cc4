/** A failure whose message the model may read. Anything else that a tool throws is a crash. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
