import { type Elicitation, ElicitationAnswer } from "@/contract/elicitation";
import { toFieldErrors } from "@/contract/field-errors";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** The part of a result that remains to be validated, and the errors found so far. */
export type ExpectedValue = {
  schema: JsonValue | undefined;
  value: JsonValue;
  /** The pointer of the value in the result. */
  at: string;
  errors: FieldError[];
};

/** Checks the answer to an elicitation except its content, which is validated by the server's schema. */
export const checkAnswer = (
  { output, isError }: { output: JsonValue; isError: boolean },
  { requested_schema: schema }: Elicitation,
): ExpectedValue => {
  const at = "/output/content";
  if (isError) {
    const message = "must be false, as the server of the tool asks: decline or cancel instead";
    return { schema: undefined, value: null, at, errors: [{ pointer: "/is_error", message }] };
  }
  const answer = ElicitationAnswer.safeParse(output);
  if (!answer.success) {
    const errors = toFieldErrors(answer.error.issues).map(({ pointer, message }) => ({
      pointer: `/output${pointer}`,
      message,
    }));
    return { schema: undefined, value: null, at, errors };
  }
  return answer.data.action === "accept"
    ? { schema, value: answer.data.content, at, errors: [] }
    : { schema: undefined, value: null, at, errors: [] };
};
