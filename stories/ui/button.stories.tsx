import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Plus } from "lucide-react";
import { expect, fn } from "storybook/test";
import { Button } from "@/components/ui/button";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const submit = fn();

const meta = {
  component: Button,
  args: { children: "Save", onClick: fn() },
} satisfies Meta<typeof Button>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Primary: { args: { variant: "primary" } },
  Secondary: {},
  Ghost: { args: { variant: "ghost" } },
  Danger: { args: { variant: "danger", children: "Delete" } },
  Small: { args: { size: "sm" } },
  Large: { args: { size: "lg", variant: "primary" } },
  "With icon": { args: { icon: <Plus aria-hidden size={16} /> } },
  Disabled: { args: { disabled: true } },
  Busy: { args: { isBusy: true, variant: "primary" } },
});

export const TestPress: Story = {
  name: "(Test) A click calls onClick once",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onClick).toHaveBeenCalledTimes(1);
  },
};

export const TestBusy: Story = {
  name: "(Test) A busy button keeps its name and focus and ignores clicks",
  args: { isBusy: true },
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "Save" });
    await userEvent.click(button);
    await expect(args.onClick).not.toHaveBeenCalled();
    await expect(button).toHaveFocus();
    await expect(button).toHaveAttribute("aria-busy", "true");
  },
};

export const TestBusySubmit: Story = {
  name: "(Test) A busy submit button does not submit the form",
  args: { type: "submit", isBusy: true },
  render: (args) => (
    <form
      aria-label="Form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Button {...args} />
    </form>
  ),
  play: async ({ canvas, userEvent }) => {
    submit.mockClear();
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(submit).not.toHaveBeenCalled();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Name the action with a verb, and have one primary button in a place.",
        example: (
          <span className="flex gap-2">
            <Button variant="primary">Save</Button>
            <Button>Cancel</Button>
          </span>
        ),
      },
      {
        text: "Name what is deleted on the button that deletes it.",
        example: <Button variant="danger">Delete chat</Button>,
      },
    ],
    donts: [
      {
        text: "Do not offer two primary buttons, or names that fit any question.",
        example: (
          <span className="flex gap-2">
            <Button variant="primary">OK</Button>
            <Button variant="primary">Yes</Button>
          </span>
        ),
      },
      {
        text: "Do not use a button for a link to another page.",
        example: <Button variant="ghost">Go to the settings</Button>,
      },
    ],
  }),
};
