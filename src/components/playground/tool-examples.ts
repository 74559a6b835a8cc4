import type { Draft } from "@/components/answers/draft";
import type { JsonObject } from "@/contract/json";
import type { ToolDraft } from "./tool-draft";

type ToolExample = { title: string; draft: ToolDraft };

const toText = (value: unknown): string => JSON.stringify(value, null, 2);

const toAnswer = (value: JsonObject): Draft => ({
  mode: "form",
  form: { value },
  text: "",
  isEmpty: false,
  json: "",
  isError: false,
  errorText: "",
});

/** A decision that takes a person, and a lookup that takes a program. The demo model calls both. */
export const TOOL_EXAMPLES: readonly [ToolExample, ToolExample] = [
  {
    title: "Approve a refund",
    draft: {
      name: "approve_refund",
      description:
        "Asks the shop manager whether an order may be refunded, and waits for the answer.",
      inputSchema: toText({
        type: "object",
        properties: {
          order: { type: "string", description: "The number of the order" },
          amount: { type: "number", minimum: 0, examples: [24.9] },
        },
        required: ["order", "amount"],
      }),
      outputSchema: toText({
        type: "object",
        properties: {
          approved: { type: "boolean", title: "Approved" },
          reason: { type: "string", title: "Reason" },
        },
        required: ["approved"],
      }),
      message: "Use approve_refund for order “A-17”",
      answer: toAnswer({ approved: true, reason: "It arrived broken." }),
    },
  },
  {
    title: "Read a thermometer",
    draft: {
      name: "read_thermometer",
      description: "Reads a thermometer of the greenhouse. A program next to it answers.",
      inputSchema: toText({
        type: "object",
        properties: { sensor: { enum: ["door", "roof", "soil"] } },
        required: ["sensor"],
      }),
      outputSchema: toText({
        type: "object",
        properties: {
          celsius: { type: "number", title: "Degrees Celsius", minimum: -50, maximum: 80 },
          battery: { enum: ["full", "low"], title: "Battery" },
        },
        required: ["celsius"],
      }),
      message: "Read thermometer at the door",
      answer: toAnswer({ celsius: 21.5, battery: "full" }),
    },
  },
];
