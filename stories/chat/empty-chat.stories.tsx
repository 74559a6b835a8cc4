import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EmptyChat } from "@/components/chat/empty-chat";

const meta = {
  component: EmptyChat,
  args: { onSelect: fn(), disabled: false },
} satisfies Meta<typeof EmptyChat>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Enabled: Story = {};
export const Disabled: Story = { args: { disabled: true } };

export const TestSelect: Story = {
  name: "(Test) A click on an example calls onSelect with its prompt",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Use a tool/ }));
    await expect(args.onSelect).toHaveBeenCalledWith("use current_time");
  },
};
