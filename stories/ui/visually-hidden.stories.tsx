import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import { showRules } from "../show-rules";

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

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say for screen readers what others see by place or color.",
        example: (
          <p>
            Sail inventory<VisuallyHidden>, needs you</VisuallyHidden>
          </p>
        ),
      },
    ],
    donts: [{ text: "Do not hide what would help everyone." }],
  }),
};
