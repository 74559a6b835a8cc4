import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ToolPreview } from "@/components/playground/tool-preview";
import { readToolDraft } from "@/components/playground/tool-draft";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { showStates } from "../show-states";

const [{ draft }] = TOOL_EXAMPLES;
const result = readToolDraft(draft);
const tool = "trial" in result ? result.trial.tool : undefined;

const meta = {
  component: ToolPreview,
  args: { tool, answer: draft.answer, onAnswer: fn() },
} satisfies Meta<typeof ToolPreview>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {},
  Empty: { args: { answer: null } },
  "A tool without a schema is answered with text": {
    args: { tool: { name: "ask_manager" }, answer: null },
  },
  "Invalid: no tool was correct yet": { args: { tool: undefined } },
});

export const TestAnswer: Story = {
  name: "(Test) What is entered is returned",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByText("No"));
    await expect(args.onAnswer).toHaveBeenCalledWith(
      expect.objectContaining({
        form: { value: { approved: false, reason: "It arrived broken." } },
      }),
    );
  },
};
