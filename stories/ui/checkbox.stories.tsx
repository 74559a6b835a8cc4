import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Checkbox } from "@/components/ui/checkbox";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: Checkbox,
  args: { label: "Answer with an error", onChange: fn() },
} satisfies Meta<typeof Checkbox>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Off: {},
  On: { args: { defaultChecked: true } },
  "With hint": { args: { hint: "The model reads the text as a failure." } },
  "With error: the hint and the error describe the checkbox": {
    args: { hint: "The model reads the text as a failure.", error: "Say what went wrong." },
    play: async ({ canvas }) => {
      const box = canvas.getByRole("checkbox", { name: "Answer with an error" });
      await expect(box).toHaveAccessibleDescription(
        "The model reads the text as a failure. Say what went wrong.",
      );
      await expect(box).toBeInvalid();
      await expect(canvas.getByRole("alert")).toHaveTextContent("Say what went wrong.");
    },
  },
  Disabled: { args: { disabled: true } },
});

export const TestToggle: Story = {
  name: "(Test) A click on the label toggles the checkbox",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText("Answer with an error"));
    await expect(canvas.getByRole("checkbox", { name: "Answer with an error" })).toBeChecked();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say what is so when it is checked; it takes effect with the form.",
        example: <Checkbox label="Send an email when a berth is free" defaultChecked />,
      },
    ],
    donts: [
      {
        text: "Do not say in the label what is not so: a checked “not” is read twice.",
        example: <Checkbox label="Do not send emails" defaultChecked />,
      },
      { text: "Do not use it for what takes effect at once: that is a switch." },
    ],
  }),
};
