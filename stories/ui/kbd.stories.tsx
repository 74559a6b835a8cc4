import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Kbd } from "@/components/ui/kbd";

const meta = { component: Kbd, args: { children: "Enter" } } satisfies Meta<typeof Kbd>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Key: Story = {};
export const Letter: Story = { args: { children: "K" } };

export const TestKey: Story = {
  name: "(Test) The key is part of the sentence's text",
  render: (args) => (
    <p>
      Press <Kbd {...args} /> to send.
    </p>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("paragraph")).toHaveTextContent("Press Enter to send.");
  },
};

export const TestLetter: Story = {
  name: "(Test) The key of a letter is at least as wide as it is high",
  ...Letter,
  play: async ({ canvas }) => {
    const key = canvas.getByText("K");
    await expect(key.offsetWidth).toBeGreaterThanOrEqual(key.offsetHeight);
  },
};
