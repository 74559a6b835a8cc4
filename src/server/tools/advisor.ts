import { AdvisorInput, AdvisorResult } from "@/contract/advisor";
import { defineTool } from "./tool";
import { errorResult, jsonResult } from "./tool-result";

export const advisorTool = defineTool({
  name: "advisor",
  description:
    "Asks an advisor for guidance before you act: it reads the recent conversation and your question, and answers you, not the user. It has no tools and changes nothing. It must be the only tool call of its batch.",
  example: { question: "Should each write clear the cache?" },
  output: AdvisorResult,
  input: AdvisorInput,
  exclusive: true,
  rootOnly: true,
  needsAdvisor: true,
  run: async (context, { question }) => {
    const result = await context.running.advise?.(question, context);
    return result
      ? jsonResult(result)
      : errorResult(
          "The advisor cannot be asked now: this call is not part of a step of the turn.",
        );
  },
});
