import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { UnsentAnswer } from "@/components/answers/unsent-answer";

const meta = {
  component: UnsentAnswer,
  args: {
    reason: "The time to answer was over.",
    drafts: [
      { toolCallId: "a", toolName: "ask_colleague", text: "Yes, we may.\nI asked Ada." },
      { toolCallId: "b", toolName: "look_up_order", text: '{\n  "state": "open"\n}' },
    ],
    onDiscard: fn(),
  },
} satisfies Meta<typeof UnsentAnswer>;
export default meta;
type Story = StoryObj<typeof meta>;

export const TimedOut: Story = {};
export const LongText: Story = {
  args: { drafts: [{ toolCallId: "a", toolName: "ask", text: "long".repeat(2_000) }] },
  globals: { viewport: { value: "mobile1" } },
};

export const TestReadAndCopy: Story = {
  name: "(Test) Each draft can be read and copied, and all can be discarded",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "The time to answer was over. Your draft was not sent.",
    );
    await expect(canvas.getByRole("group", { name: "Draft for Ask colleague" })).toHaveTextContent(
      "Yes, we may. I asked Ada.",
    );
    await userEvent.click(canvas.getByRole("button", { name: "Copy draft for Look up order" }));
    await userEvent.click(canvas.getByRole("button", { name: "Discard draft" }));
    await expect(args.onDiscard).toHaveBeenCalledTimes(1);
  },
};
