import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { PasswordField } from "@/components/account/password-field";
import { showStates } from "../show-states";

const meta = {
  component: PasswordField,
  args: { label: "Password", onChange: fn() },
} satisfies Meta<typeof PasswordField>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Shown: Story = {
  args: { defaultValue: "correct horse" },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Show password" }));
    await expect(canvas.getByDisplayValue("correct horse")).toBeVisible();
  },
};

const disabled: Story = { args: { defaultValue: "correct horse", disabled: true } };

export const States: Story = showStates(meta, {
  Empty: {},
  Filled: { args: { defaultValue: "correct horse" } },
  "With hint": { args: { hint: "At least 8 characters" } },
  "With error: the hint and the error describe the field": {
    args: { hint: "At least 8 characters", error: "Use at least 8 characters." },
    play: async ({ canvas }) => {
      const password = canvas.getByLabelText("Password");
      await expect(password).toBeInvalid();
      await expect(password).toHaveAccessibleDescription(
        "At least 8 characters Use at least 8 characters.",
      );
    },
  },
  Disabled: disabled,
  "Shown: the password has no spell check or capitalization": {
    ...Shown,
    play: async (context) => {
      await Shown.play?.(context);
      const password = context.canvas.getByRole("textbox", { name: "Password" });
      await expect(password).toHaveAttribute("autocapitalize", "none");
      await expect(password).toHaveAttribute("spellcheck", "false");
    },
  },
});

export const TestShowPassword: Story = {
  name: "(Test) The button shows and hides the password",
  play: async ({ canvas, userEvent }) => {
    const password = canvas.getByLabelText("Password");
    await userEvent.type(password, "correct horse");
    await expect(password).toHaveAttribute("type", "password");
    const show = canvas.getByRole("button", { name: "Show password", pressed: false });
    await userEvent.click(show);
    await expect(password).toHaveAttribute("type", "text");
    await expect(password).toHaveValue("correct horse");
    await expect(show).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(show);
    await expect(password).toHaveAttribute("type", "password");
    await expect(show).toHaveAttribute("aria-pressed", "false");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches the button, which does not submit the form",
  render: (args) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        throw new Error("The form was sent.");
      }}
    >
      <PasswordField {...args} />
    </form>
  ),
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await userEvent.keyboard("x");
    await expect(args.onChange).toHaveBeenCalledTimes(1);
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Show password" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("textbox", { name: "Password" })).toHaveValue("x");
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled field accepts no input",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText("Password"), "x");
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

/** On a phone the button does not overlap the label or the field. */
export const Narrow: Story = {
  args: { defaultValue: "correct horse ".repeat(20) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    const show = canvas.getByRole("button", { name: "Show password" }).getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(canvas.getByText("Password"));
    await expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(show.left);
    await expect(show.bottom).toBeLessThanOrEqual(
      canvas.getByLabelText("Password").getBoundingClientRect().top,
    );
  },
};
