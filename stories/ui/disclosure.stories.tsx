import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Disclosure } from "@/components/ui/disclosure";
import { showRules } from "../show-rules";
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

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Fold what only some people need, and say in the line what is in it.",
        example: <Disclosure summary="Settings (optional)">Base URL, headers</Disclosure>,
      },
    ],
    donts: [
      {
        text: "Do not fold what is required, or what is an error.",
        example: <Disclosure summary="More">The key is missing.</Disclosure>,
      },
    ],
  }),
};
