import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState } from "react";
import { expect } from "storybook/test";
import { NewPasswordField } from "@/components/account/new-password-field";
import { showStates } from "../show-states";

const meta = {
  component: NewPasswordField,
  args: { label: "New password", value: "" },
  render: function Render(args) {
    const [value, setValue] = useState(args.value);
    return (
      <NewPasswordField {...args} value={value} onChange={({ target }) => setValue(target.value)} />
    );
  },
} satisfies Meta<typeof NewPasswordField>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: {},
  "Rule met": { args: { value: "eight ch" } },
  "With error": { args: { value: "short", error: "Use at least 8 characters." } },
});

export const TestRule: Story = {
  name: "(Test) The rule is met from the eighth character on",
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByLabelText("New password");
    await expect(field).toHaveAttribute("autocomplete", "new-password");
    await userEvent.type(field, "seven c");
    await expect(field).toHaveAccessibleDescription("At least 8 characters");
    await userEvent.type(field, "h");
    await expect(field).toHaveAccessibleDescription(/^At least 8 characters ?: met$/);
  },
};
