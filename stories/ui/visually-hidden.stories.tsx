import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { VisuallyHidden } from "@/components/ui/visually-hidden";

const meta = {
  component: VisuallyHidden,
  args: { children: "Needs you" },
} satisfies Meta<typeof VisuallyHidden>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Hidden: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Needs you").getBoundingClientRect().width).toBeLessThan(2);
  },
};
