import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Pencil, RefreshCw, Trash2 } from "lucide-react";
import { expect, fn, screen } from "storybook/test";
import { IconButton } from "@/components/ui/icon-button";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: IconButton,
  args: { label: "Edit", icon: <Pencil aria-hidden size={16} />, onClick: fn() },
} satisfies Meta<typeof IconButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Ghost: {},
  Secondary: { args: { variant: "secondary" } },
  Primary: { args: { variant: "primary" } },
  Small: { args: { size: "sm" } },
  Disabled: { args: { disabled: true } },
});

export const TestTooltip: Story = {
  name: "(Test) Keyboard focus shows the label and Enter clicks the button",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Edit" })).toHaveFocus();
    await expect(await screen.findByText("Edit")).toBeVisible();
    await userEvent.keyboard("{Enter}");
    await expect(args.onClick).toHaveBeenCalledTimes(1);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use an icon that the page explains elsewhere, and name the action.",
        example: (
          <span className="flex gap-2">
            <IconButton label="Edit message" icon={<Pencil aria-hidden size={16} />} />
            <IconButton label="Delete message" icon={<Trash2 aria-hidden size={16} />} />
          </span>
        ),
      },
    ],
    donts: [
      {
        text: "Do not use an icon alone for what happens rarely: a word is found sooner.",
        example: (
          <IconButton
            label="Reload the files of recipes"
            icon={<RefreshCw aria-hidden size={16} />}
          />
        ),
      },
    ],
  }),
};
