import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { SettingsItem, toToggleItem } from "@/components/settings/settings-item";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { showStates } from "../show-states";

const onToggle = fn();
const editing = {
  onEdit: fn(),
  items: [toToggleItem(true, onToggle)],
  onDelete: fn(),
  deletion: { message: "You cannot undo this.", confirmLabel: "Delete recipe" },
};

const meta = {
  component: SettingsItem,
  args: {
    name: "Weather",
    badges: null,
    detail: <p className="mt-1 text-xs text-muted">Reads the weather of a city.</p>,
    trial: {
      label: "Run once",
      accessibleLabel: "Run once: Weather",
      isBusy: false,
      onClick: fn(),
    },
    editing,
  },
  render: (args) => (
    <ul className="rounded-lg border bg-raised">
      <SettingsItem {...args} />
    </ul>
  ),
} satisfies Meta<typeof SettingsItem>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Editable: {},
  "What cannot be changed has no buttons": {
    args: { trial: undefined, editing: undefined, badges: <Badge text="From a file" /> },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  Identifier: { args: { name: "look_up_order", isCode: true } },
  Busy: {
    args: {
      trial: { label: "Test", accessibleLabel: "Test Weather", isBusy: true, onClick: fn() },
    },
  },
  "With result": { args: { children: <Alert tone="success" title="Weather answers." /> } },
});

export const TestMenu: Story = {
  name: "(Test) The menu switches it off, and asks before it deletes",
  play: async ({ args, canvas, userEvent }) => {
    const menu = () => canvas.getByRole("button", { name: "More for Weather" });
    await userEvent.click(menu());
    await userEvent.click(await screen.findByRole("menuitem", { name: "Switch off" }));
    await expect(onToggle).toHaveBeenCalledOnce();
    await userEvent.click(menu());
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await screen.findByRole("alertdialog", { name: "Delete “Weather”?" });
    await expect(args.editing?.onDelete).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Delete recipe" }));
    await expect(args.editing?.onDelete).toHaveBeenCalledOnce();
  },
};

export const TestNotDeletable: Story = {
  name: "(Test) What cannot be deleted says so in its menu",
  args: { editing: { ...editing, deletion: { ...editing.deletion, isDisabled: true } } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for Weather" }));
    const item = await screen.findByRole("menuitem", { name: "Delete" });
    await expect(item).toHaveAttribute("aria-disabled", "true");
  },
};

/** A long name wraps on a phone. */
export const LongName: Story = {
  args: { name: "x".repeat(200), badges: <Badge text="Off" /> },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
