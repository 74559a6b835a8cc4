import type { Problem } from "@/contract/problem";
import { asSentence } from "@/lib/as-sentence";

/** What the server said of one field of a form, as a sentence. */
export const refusalOf = (problem: Problem | undefined, field: string): string | undefined => {
  const message = problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
  return message && asSentence(message);
};
