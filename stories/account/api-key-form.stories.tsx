import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ApiKeyForm from "@/components/account/api-key-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";

const meta = {
  component: ApiKeyForm,
  args: { onSubmit: fn(), onCancel: fn(), isBusy: false, problem: undefined },
} satisfies Meta<typeof ApiKeyForm>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const name = (canvas: Canvas) => canvas.getByRole("textbox", { name: "Name" });
const expires = (canvas: Canvas) => canvas.getByRole("combobox", { name: "Expires" });

const busy: Story = { args: { isBusy: true } };
const failed: Story = { args: { problem: UNAVAILABLE } };
const nameRefused: Story = {
  args: { problem: invalid("/name", "must be at most 100 characters long") },
};

export const States: Story = showStates(meta, {
  Empty: {},
  Busy: busy,
  Failed: failed,
  "Name refused": nameRefused,
  "A sentence describes each scope": {
    play: async ({ canvas }) => {
      for (const [label, meaning] of [
        ["Read", "Sees your chats and their results, and changes nothing."],
        ["Chat", "Also starts and changes chats, and answers their tools."],
        ["Admin", "Also changes settings, and makes and revokes API keys."],
      ] as const) {
        await expect(canvas.getByRole("radio", { name: label })).toHaveAccessibleDescription(
          meaning,
        );
      }
      await expect(canvas.getByRole("radio", { name: "Chat" })).toBeChecked();
    },
  },
});

export const Narrow: Story = {
  ...failed,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
export const Dark: Story = {
  ...nameRefused,
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <ApiKeyForm {...args} />
    </div>
  ),
};

export const TestDefaults: Story = {
  name: "(Test) Enter creates a key for chats that expires in 90 days",
  play: async ({ args, canvas, userEvent }) => {
    await expect(name(canvas)).toHaveFocus();
    await userEvent.type(name(canvas), " Nightly report {Enter}");
    await expect(args.onSubmit).toHaveBeenCalledOnce();
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Nightly report",
      scope: "chat",
      expires_in_days: 90,
    });
  },
};

export const TestChoices: Story = {
  name: "(Test) The scope and the expiry can be chosen",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Dashboard");
    await userEvent.click(canvas.getByRole("radio", { name: "Read" }));
    await userEvent.selectOptions(expires(canvas), "In 1 year");
    await expect(expires(canvas)).toHaveAccessibleDescription("The key stops working by itself.");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({
      name: "Dashboard",
      scope: "read",
      expires_in_days: 365,
    });
    await userEvent.selectOptions(expires(canvas), "Never");
    await expect(expires(canvas)).toHaveAccessibleDescription("The key works until you revoke it.");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({ name: "Dashboard", scope: "read" });
  },
};

export const TestNoName: Story = {
  name: "(Test) A missing name is reported at its field",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "  ");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(name(canvas)).toHaveFocus();
    await expect(name(canvas)).toHaveAccessibleDescription(/Enter a name\.$/);
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestNameRefused: Story = {
  name: "(Test) An error of the server is shown at its field until it changes",
  ...nameRefused,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText("The key was not created")).toBeVisible();
    await expect(name(canvas)).toHaveFocus();
    await expect(name(canvas)).toHaveAccessibleDescription(
      /Must be at most 100 characters long\.$/,
    );
    await userEvent.type(name(canvas), "CI");
    await expect(name(canvas)).not.toHaveAccessibleDescription(/Must be at most/);
  },
};

export const TestBusy: Story = {
  ...busy,
  name: "(Test) The form is not sent again while the key is created",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "CI{Enter}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestCancel: Story = {
  name: "(Test) Cancel calls onCancel and creates nothing",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "CI");
    await userEvent.click(canvas.getByRole("button", { name: "Cancel" }));
    await expect(args.onCancel).toHaveBeenCalledOnce();
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};
