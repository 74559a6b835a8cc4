import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { ChangePasswordForm } from "@/components/account/change-password-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";

const meta = {
  component: ChangePasswordForm,
  args: {
    email: "ada@example.com",
    onSubmit: fn(),
    isBusy: false,
    isChanged: false,
    problem: undefined,
  },
} satisfies Meta<typeof ChangePasswordForm>;
export default meta;
type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story["play"]>>[0];
type Canvas = Context["canvas"];

const current = (canvas: Canvas) => canvas.getByLabelText("Current password");
const next = (canvas: Canvas) => canvas.getByLabelText("New password");
const change = async ({ canvas, userEvent }: Context, to: string): Promise<void> => {
  await userEvent.type(current(canvas), "correct horse");
  await userEvent.type(next(canvas), `${to}{Enter}`);
};

const busy: Story = { args: { isBusy: true } };
const wrongPassword: Story = {
  args: { problem: invalid("/current_password", "is not your current password") },
};

export const States: Story = showStates(meta, {
  Empty: {},
  Busy: busy,
  Changed: { args: { isChanged: true } },
  "Wrong password": wrongPassword,
  Failed: { args: { problem: UNAVAILABLE } },
  "The section says that other browsers are signed out": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("region", { name: "Password" })).toHaveTextContent(
        "you are signed out in all other browsers",
      );
    },
  },
});

export const Narrow: Story = {
  ...wrongPassword,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
export const Dark: Story = {
  ...wrongPassword,
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <ChangePasswordForm {...args} />
    </div>
  ),
};

export const TestChange: Story = {
  name: "(Test) Enter changes the password",
  play: async (context) => {
    await change(context, " eight ch ");
    await expect(context.args.onSubmit).toHaveBeenCalledOnce();
    await expect(context.args.onSubmit).toHaveBeenCalledWith({
      current_password: "correct horse",
      new_password: " eight ch ",
    });
  },
};

export const TestMissing: Story = {
  name: "(Test) Missing and short passwords are reported at their fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Change password" }));
    await expect(current(canvas)).toHaveFocus();
    await expect(current(canvas)).toHaveAccessibleDescription("Enter your current password.");
    await expect(next(canvas)).toHaveAccessibleDescription(/Choose a password\.$/);
    await userEvent.type(current(canvas), "correct horse");
    await userEvent.type(next(canvas), "short{Enter}");
    await expect(next(canvas)).toHaveFocus();
    await expect(next(canvas)).toHaveAccessibleDescription(/Use at least 8 characters\.$/);
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestWrongPassword: Story = {
  name: "(Test) A wrong current password is shown at its field until it changes",
  ...wrongPassword,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText("Your password was not changed")).toBeVisible();
    await expect(current(canvas)).toHaveFocus();
    await expect(current(canvas)).toHaveAccessibleDescription("Is not your current password.");
    await userEvent.type(current(canvas), "c");
    await expect(current(canvas)).not.toHaveAccessibleDescription(/wrong/);
  },
};

export const TestBusy: Story = {
  ...busy,
  name: "(Test) The form is not sent again while the password is changed",
  play: async (context) => {
    await change(context, "eight ch");
    await expect(context.args.onSubmit).not.toHaveBeenCalled();
  },
};

/** Changes the password at once, as the server does. */
const WithServer = (args: ComponentProps<typeof ChangePasswordForm>) => {
  const [isChanged, setChanged] = useState(false);
  return <ChangePasswordForm {...args} isChanged={isChanged} onSubmit={() => setChanged(true)} />;
};

export const TestChanged: Story = {
  name: "(Test) A change is announced and empties the fields, without errors",
  render: (args) => <WithServer {...args} />,
  play: async (context) => {
    const { canvas, userEvent } = context;
    await userEvent.click(canvas.getByRole("button", { name: "Change password" }));
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    await change(context, "eight ch");
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "Changed. You are signed out in all other browsers.",
    );
    for (const field of [current(canvas), next(canvas)]) {
      await expect(field).toHaveValue("");
      await expect(field).toBeValid();
    }
    await userEvent.type(current(canvas), "x");
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
  },
};
