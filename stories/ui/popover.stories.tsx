import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, screen } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import { showRules } from "../show-rules";

const meta = {
  component: Popover,
  args: { trigger: <Button>Usage</Button>, title: "Context and usage", children: "12.4K / 200K" },
} satisfies Meta<typeof Popover>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {};
export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Usage" }));
    await expect(await screen.findByRole("dialog", { name: "Context and usage" })).toBeVisible();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show details that a person asks for, with a title.",
        example: (
          <Popover trigger={<Button size="sm">Context and usage</Button>} title="Context and usage">
            12.4K of 200K tokens
          </Popover>
        ),
      },
    ],
    donts: [
      { text: "Do not put a form or a question into it: a click beside it loses what was typed." },
    ],
  }),
};
