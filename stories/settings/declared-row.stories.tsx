import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { DeclaredRow } from "@/components/settings/declared-row";
import { SettingsList } from "@/components/settings/settings-list";

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

export const Some: Story = {};
export const AllTools: Story = { args: { tools: null } };
export const NoTools: Story = { args: { tools: [], description: "", facts: [] } };
export const Faulty: Story = { args: { problem: "A tool is gone: lint." } };
export const Permanent: Story = { args: { deletion: undefined } };
export const Saving: Story = { args: { isBusy: true } };

export const TestSaving: Story = {
  ...Saving,
  name: "(Test) While the list is saved, no row is changed",
  play: async ({ canvas }) => {
    for (const button of canvas.getAllByRole("button")) await expect(button).toBeDisabled();
  },
};
