import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Disclosure } from "@/components/ui/disclosure";
import { showStates } from "../show-states";

const meta = {
  component: Disclosure,
  args: { summary: "Details", children: "The hidden content." },
} satisfies Meta<typeof Disclosure>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Closed: {},
  Open: { args: { defaultOpen: true } },
});

export const TestToggle: Story = {
  name: "(Test) A click toggles the content and aria-expanded",
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole("button", { name: "Details" });
    await expect(line).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(line);
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(canvas.getByText("The hidden content.")).toBeVisible();
    await userEvent.click(line);
    await expect(canvas.queryByText("The hidden content.")).toBeNull();
  },
};
