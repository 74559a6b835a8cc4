import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, screen } from "storybook/test";
import { KeepToolButton } from "@/components/playground/keep-tool-button";
import { Group, type GroupsConfig } from "@/contract/group";
import { failed, ready, UNAVAILABLE } from "../settings/fixtures";
import { showStates } from "../show-states";

const tool = { name: "approve_refund", description: "Asks for a refund" };
const refunds = Group.parse({ name: "refunds", tools: [], dynamic_tools: [{ name: "ask_age" }] });
const config: GroupsConfig = { groups: [refunds], version: 3 };

/** Stands at the end of a row, as on the page, and saves at once. */
const WithState = (props: ComponentProps<typeof KeepToolButton>) => {
  const [open, setOpen] = useState(props.open);
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      <KeepToolButton {...props} open={open} onOpenChange={setOpen} />
    </div>
  );
};

const meta = {
  component: KeepToolButton,
  render: (args) => <WithState {...args} />,
  args: {
    tool,
    open: false,
    onOpenChange: fn(),
    groups: ready(config),
    onReload: fn(),
    onSave: fn((_groups: GroupsConfig, onSaved: () => void) => onSaved()),
    isSaving: false,
    problem: undefined,
  },
} satisfies Meta<typeof KeepToolButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Can be kept": {},
  "Cannot be kept while a field is at fault": { args: { tool: undefined } },
});

export const Open: Story = { args: { open: true } };
export const Loading: Story = { args: { open: true, groups: { state: "loading" } } };
export const LoadError: Story = { args: { open: true, groups: failed } };
export const SaveError: Story = { args: { open: true, problem: UNAVAILABLE } };

export const TestKeep: Story = {
  name: "(Test) A tool is kept in a group by its name, which is checked",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Keep as a group" }));
    await screen.findByRole("form");
    const name = screen.getByRole("textbox", { name: "Group" });
    await userEvent.type(name, "two words{Enter}");
    await expect(name).toHaveAccessibleDescription(/Enter a name of letters/);
    await expect(args.onSave).not.toHaveBeenCalled();
    await userEvent.clear(name);
    await userEvent.type(name, "refund");
    await expect(name).toHaveAccessibleDescription(/A new group/);
    await userEvent.type(name, "s");
    await expect(name).toHaveAccessibleDescription(/gets the tool too/);
    await userEvent.click(screen.getByRole("button", { name: "Keep" }));
    const changed = { ...refunds, dynamic_tools: [...refunds.dynamic_tools, tool] };
    await expect(args.onSave).toHaveBeenCalledWith(
      { groups: [changed], version: 3 },
      expect.any(Function),
    );
    await expect(canvas.getByRole("status")).toHaveTextContent(/write @refunds to use it/);
  },
};
