import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EmptyChat } from "@/components/chat/empty-chat";

const meta = {
  component: EmptyChat,
  args: { onPick: fn(), disabled: false },
} satisfies Meta<typeof EmptyChat>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Ready: Story = {};
export const Disabled: Story = { args: { disabled: true } };

export const TestPick: Story = {
  name: "(Test) An example is handed over as it will be sent",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Use a tool/ }));
    await expect(args.onPick).toHaveBeenCalledWith("use current_time");
  },
};
