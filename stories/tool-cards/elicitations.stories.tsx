import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Elicitations } from "@/components/tool-cards/elicitations";
import { showStates } from "../show-states";

const QUESTION = {
  message: "Which berth shall we book?",
  requested_schema: { type: "object", properties: { berth: { type: "integer" } } },
};
const ANSWER = { action: "accept" as const, content: { berth: 12 } };

const meta = {
  component: Elicitations,
  args: { elicitations: [QUESTION], isOpen: false },
} satisfies Meta<typeof Elicitations>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Open: { args: { isOpen: true } },
  Closed: { play: ({ canvas }) => expect(canvas.getByText("Not answered.")).toBeVisible() },
  Answered: { args: { elicitations: [{ ...QUESTION, answer: ANSWER }] } },
  Cancelled: { args: { elicitations: [{ ...QUESTION, answer: { action: "cancel" } }] } },
});
