import {
  ChartColumn,
  Compass,
  FilePen,
  Globe,
  HandHelping,
  ListChecks,
  type LucideIcon,
} from "lucide-react";
import type { DynamicTool } from "@/contract/dynamic-tool";

/** A first message that a person can choose instead of writing one. */
export type ExamplePrompt = {
  icon: LucideIcon;
  title: string;
  prompt: string;
  /** A tool that the chat is created with; the person answers its calls. */
  tool?: DynamicTool;
};

const CHECK_STOCK: DynamicTool = {
  name: "check_stock",
  description:
    "Looks up how much of an item is in the storeroom. Only the person in the chat can see the storeroom.",
  input_schema: {
    type: "object",
    properties: { item: { type: "string", description: "What to look for" } },
    required: ["item"],
  },
  output_schema: {
    type: "object",
    properties: {
      in_stock: { type: "boolean", title: "In stock" },
      quantity: { type: "integer", title: "Quantity", minimum: 0 },
      note: { type: "string", title: "Note" },
    },
    required: ["in_stock", "quantity"],
  },
};

/** Requests that any model understands; the demo model recognizes their words. */
export const EXAMPLE_PROMPTS: readonly ExamplePrompt[] = [
  {
    icon: HandHelping,
    title: "A tool that you answer",
    prompt: "Check stock of “blood oranges” for me",
    tool: CHECK_STOCK,
  },
  { icon: Compass, title: "Decide together", prompt: "Ask me where to spend a free day" },
  { icon: ChartColumn, title: "Draw a chart", prompt: "Draw a chart of data.csv" },
  { icon: FilePen, title: "Write a file", prompt: 'Write "Buy oranges" to notes.md' },
  { icon: ListChecks, title: "Make a plan", prompt: "Make a plan for a day in Lisbon" },
  { icon: Globe, title: "Read a page", prompt: "Summarize https://example.com" },
];
