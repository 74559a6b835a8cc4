import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { DeclaredRow } from "@/components/settings/declared-row";
import { SettingsList } from "@/components/settings/settings-list";
import { showStates } from "../show-states";

const meta = {
  component: DeclaredRow,
  render: (args) => (
    <SettingsList>
      <DeclaredRow {...args} />
    </SettingsList>
  ),
  args: {
    name: "review",
    title: "@review",
    description: "Reads a change",
    tools: ["read_file"],
    facts: ["Up to 20 steps"],
    problem: undefined,
    deletion: { message: "You cannot undo this.", confirmLabel: "Delete group" },
    isBusy: false,
    onEdit: fn(),
    onDelete: fn(),
  },
} satisfies Meta<typeof DeclaredRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Some: {},
  "All tools": { args: { tools: null } },
  "No tools": { args: { tools: [], description: "", facts: [] } },
  Faulty: { args: { problem: "A tool is gone: lint." } },
  Permanent: { args: { deletion: undefined } },
  "While the list is saved, no row is changed": {
    args: { isBusy: true },
    play: async ({ canvas }) => {
      for (const button of canvas.getAllByRole("button")) await expect(button).toBeDisabled();
    },
  },
});
