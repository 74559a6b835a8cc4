import { AdvisorInput, type AdvisorResult } from "@/contract/advisor";
import type { JsonValue } from "@/contract/json";
import { defineTool } from "./tool";
import { errorResult, jsonResult } from "./tool-result";

export const advisor = defineTool({
  name: "advisor",
  description:
    "Asks an advisor for guidance before you act: it reads the recent conversation and your question, and answers you, not the user. It has no tools and changes nothing. It must be the only tool call of its batch.",
  input: AdvisorInput,
  exclusive: true,
  rootOnly: true,
  run: async ({ advise, toolCallId, emit, signal }, { question }) =>
    advise
      ? jsonResult(asJson(await advise(question, { toolCallId, emit, signal })))
      : errorResult(
          "The advisor cannot be asked now: this call is not part of a step of the turn.",
        ),
});

/** The schema's optional fields are left out, never undefined. */
const asJson = (result: AdvisorResult): JsonValue => result as JsonValue;
