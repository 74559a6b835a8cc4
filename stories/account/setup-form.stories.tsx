import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import type { Problem } from "@/contract/problem";
import { SetupForm } from "@/components/account/setup-form";
import { showStates } from "../show-states";

const problem: Problem = {
  type: "about:blank",
  title: "Invalid request",
  status: 400,
  detail: "The account was not made.",
  code: "invalid",
  request_id: "req_1",
  errors: [{ pointer: "/email", message: "is not an address that we can take" }],
};

const meta = {
  component: SetupForm,
  args: { onSubmit: fn(), isBusy: false },
} satisfies Meta<typeof SetupForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const serverError: Story = { args: { problem } };

export const States: Story = showStates(meta, {
  Empty: {},
  Busy: { args: { isBusy: true } },
  Failed: serverError,
});

export const TestCreate: Story = {
  name: "(Test) Submitting creates the account from the fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "Ada Lovelace ");
    await userEvent.type(canvas.getByRole("textbox", { name: "Email" }), "ada@example.com");
    await userEvent.type(canvas.getByLabelText("Password"), " eight ch ");
    await userEvent.click(canvas.getByRole("button", { name: "Create account" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Ada Lovelace",
      email: "ada@example.com",
      password: " eight ch ",
    });
  },
};

export const TestRules: Story = {
  name: "(Test) A short password is reported at its field",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "Ada");
    await userEvent.type(canvas.getByRole("textbox", { name: "Email" }), "ada@example.com");
    const password = canvas.getByLabelText("Password");
    await userEvent.type(password, "short{Enter}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(password).toHaveFocus();
    await expect(password).toHaveAccessibleDescription(/Use at least 8 characters/);
    await userEvent.type(password, " no more");
    await expect(password).toHaveAccessibleDescription(/At least 8 characters.*met/);
  },
};

export const TestServerError: Story = {
  ...serverError,
  name: "(Test) An error of the server is shown at its field until it changes",
  play: async ({ canvas, userEvent }) => {
    const email = canvas.getByRole("textbox", { name: "Email" });
    await expect(email).toHaveFocus();
    await expect(email).toHaveAccessibleDescription(/Is not an address that we can take\./);
    await userEvent.type(email, "ada@example.com");
    await expect(email).not.toHaveAccessibleDescription(/Is not an address/);
  },
};
