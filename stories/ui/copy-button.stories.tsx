import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn } from "storybook/test";
import { CopyButton } from "@/components/ui/copy-button";

const meta = {
  component: CopyButton,
  args: { label: "Copy message", text: "Hello" },
} satisfies Meta<typeof CopyButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Ready: Story = {};

export const TestCopies: Story = {
  name: "(Test) A click copies the text and changes the label to Copied",
  play: async ({ canvas, userEvent }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await userEvent.click(canvas.getByRole("button", { name: "Copy message" }));
    await expect(await canvas.findByRole("button", { name: "Copied" })).toBeVisible();
    await expect(write).toHaveBeenCalledWith("Hello");
    write.mockRestore();
  },
};
