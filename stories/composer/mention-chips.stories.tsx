import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import MentionChips from "@/components/composer/mention-chips";
import { showStates } from "../show-states";
import { GONE, OFF, READ_FILE, REMEMBER, REVIEW } from "./mention-fixtures";

const meta = {
  component: MentionChips,
  args: { chosen: [REVIEW, READ_FILE], onRemove: fn(), disabled: false },
} satisfies Meta<typeof MentionChips>;
export default meta;
type Story = StoryObj<typeof meta>;

const problems: Story = { args: { chosen: [GONE, REVIEW, OFF] } };

export const States: Story = showStates(meta, {
  Few: {},
  Many: {
    args: {
      chosen: Array.from({ length: 30 }, (_, index) => ({ ...READ_FILE, name: `tool_${index}` })),
    },
  },
  "Long name": { args: { chosen: [REMEMBER] } },
  Problems: problems,
  Disabled: { args: { disabled: true } },
});

export const TestRemove: Story = {
  name: "(Test) Each can be removed, and those of no use say why",
  ...problems,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText(/no group “release” any more/)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Remove release" }));
    await expect(args.onRemove).toHaveBeenCalledWith(GONE);
  },
};
