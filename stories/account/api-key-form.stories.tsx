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
const tools = (canvas: Canvas) => canvas.getByRole("textbox", { name: "Only these tools" });
const toolsets = (canvas: Canvas) => canvas.getByRole("textbox", { name: "Only these toolsets" });
const labels = (canvas: Canvas) =>
  canvas.getByRole("textbox", { name: "Only chats with these labels" });
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
  "A sentence describes each purpose": {
    play: async ({ canvas }) => {
      const radios = canvas.getAllByRole("radio");
      await expect(radios.map((radio) => radio.closest("label")?.textContent)).toHaveLength(5);
      await expect(radios[0]).toHaveAccessibleName("A program that answers tools");
      await expect(radios[0]).toBeChecked();
      for (const radio of radios) await expect(radio).toHaveAccessibleDescription(/\.$/);
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
  name: "(Test) Enter creates a key for calls that expires in 90 days",
  play: async ({ args, canvas, userEvent }) => {
    await expect(name(canvas)).toHaveFocus();
    await userEvent.type(name(canvas), " Nightly report {Enter}");
    await expect(args.onSubmit).toHaveBeenCalledOnce();
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Nightly report",
      scopes: ["calls:answer"],
      expires_in_days: 90,
    });
  },
};

export const TestChoices: Story = {
  name: "(Test) The purpose and the expiry can be chosen",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Dashboard");
    await userEvent.click(canvas.getByRole("radio", { name: "A program that reads" }));
    await userEvent.selectOptions(expires(canvas), "In 1 year");
    await expect(expires(canvas)).toHaveAccessibleDescription("The key stops working by itself.");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({
      name: "Dashboard",
      scopes: ["read"],
      expires_in_days: 365,
    });
    await userEvent.selectOptions(expires(canvas), "Never");
    await expect(expires(canvas)).toHaveAccessibleDescription("The key works until you revoke it.");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({
      name: "Dashboard",
      scopes: ["read"],
    });
  },
};

export const TestRestriction: Story = {
  name: "(Test) A key can be restricted to tools and labels",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Runner");
    await userEvent.type(tools(canvas), "restart_*{Enter}measure");
    await userEvent.type(labels(canvas), "app");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(labels(canvas)).toHaveAccessibleDescription(/Write one label in a line/);
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.type(labels(canvas), "=slackbot");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Runner",
      scopes: ["calls:answer"],
      only: { tools: ["restart_*", "measure"], labels: { app: "slackbot" } },
      expires_in_days: 90,
    });
  },
};

export const TestToolsets: Story = {
  name: "(Test) A key for a program that runs a toolset may also declare it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Runner");
    await expect(toolsets(canvas)).toHaveAccessibleDescription(/may then also declare these/);
    await userEvent.type(toolsets(canvas), "no_name");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(toolsets(canvas)).toHaveAccessibleDescription(/Write small letters/);
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.clear(toolsets(canvas));
    await userEvent.type(toolsets(canvas), "ops{Enter}crm-2");
    await userEvent.type(tools(canvas), "measure");
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Runner",
      scopes: ["calls:answer", "toolsets:write"],
      only: { tools: ["measure"], toolsets: ["ops", "crm-2"] },
      expires_in_days: 90,
    });
  },
};

export const TestToolsetsOfOthers: Story = {
  name: "(Test) Toolsets are neither asked for nor sent where a key does not answer for them alone",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Bot");
    await userEvent.type(toolsets(canvas), "ops");
    await userEvent.click(canvas.getByRole("radio", { name: "A program that chats" }));
    await expect(canvas.queryByRole("textbox", { name: "Only these toolsets" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({
      name: "Bot",
      scopes: ["read", "chat", "calls:answer", "approvals:decide"],
      expires_in_days: 90,
    });
    await userEvent.click(canvas.getByRole("radio", { name: "Something else" }));
    await expect(toolsets(canvas)).toHaveValue("ops");
    await userEvent.click(canvas.getByRole("checkbox", { name: "Answer calls" }));
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({
      name: "Bot",
      scopes: ["calls:answer"],
      only: { toolsets: ["ops"] },
      expires_in_days: 90,
    });
  },
};

export const TestScopes: Story = {
  name: "(Test) Scopes can be chosen one by one, and an administrator is not restricted",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(name(canvas), "Approver");
    await userEvent.click(canvas.getByRole("radio", { name: "Something else" }));
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(canvas.getByText("Choose at least one.")).toBeVisible();
    await userEvent.click(canvas.getByRole("checkbox", { name: "Decide on approvals" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "Read" }));
    await userEvent.click(canvas.getByRole("button", { name: "Create key" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "Approver",
      scopes: ["read", "approvals:decide"],
      expires_in_days: 90,
    });
    await userEvent.click(canvas.getByRole("checkbox", { name: "Admin" }));
    await expect(canvas.queryByRole("textbox", { name: "Only these tools" })).toBeNull();
    await userEvent.click(canvas.getByRole("radio", { name: "An administrator" }));
    await expect(canvas.queryByRole("textbox", { name: "Only these tools" })).toBeNull();
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
