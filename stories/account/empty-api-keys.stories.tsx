import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn } from "storybook/test";
import { EmptyApiKeys } from "@/components/account/empty-api-keys";

const meta = {
  component: EmptyApiKeys,
  args: { origin: "http://127.0.0.1:3000" },
} satisfies Meta<typeof EmptyApiKeys>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Empty: Story = {};
export const Narrow: Story = {
  args: { origin: `https://${"x".repeat(60)}.example.com` },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestCommand: Story = {
  name: "(Test) The command calls this server and can be copied",
  play: async ({ canvas, userEvent }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await userEvent.click(canvas.getByRole("button", { name: "Copy command" }));
    await expect(write).toHaveBeenCalledWith(
      'curl http://127.0.0.1:3000/api/v1/chats -H "Authorization: Bearer $PARLEY_API_KEY"',
    );
    write.mockRestore();
  },
};
