import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { LoginForm } from "@/components/account/login-form";
import { showStates } from "../show-states";

const meta = {
  component: LoginForm,
  args: { onSubmit: fn(), isBusy: false },
} satisfies Meta<typeof LoginForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const busy: Story = { args: { isBusy: true } };

export const States: Story = showStates(meta, {
  Empty: {},
  Busy: busy,
  Failed: { args: { error: "Wrong email or password." } },
});

export const TestSignIn: Story = {
  name: "(Test) Enter signs in",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Email" }), " ada@example.com");
    await userEvent.type(canvas.getByLabelText("Password"), "correct horse{Enter}");
    await expect(args.onSubmit).toHaveBeenCalledWith({
      email: "ada@example.com",
      password: "correct horse",
    });
  },
};

export const TestMissing: Story = {
  name: "(Test) Missing values are reported at their fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Sign in" }));
    const email = canvas.getByRole("textbox", { name: "Email" });
    await expect(email).toHaveFocus();
    await expect(email).toHaveAccessibleDescription("Enter your email address.");
    await expect(canvas.getByLabelText("Password")).toHaveAccessibleDescription(
      "Enter your password.",
    );
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestBusy: Story = {
  ...busy,
  name: "(Test) The form is not submitted again while signing in",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Email" }), "ada@example.com");
    await userEvent.type(canvas.getByLabelText("Password"), "correct horse{Enter}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};
