import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { AgentTypeRow } from "@/components/settings/agent-type-row";
import { SettingsList } from "@/components/settings/settings-list";
import { showStates } from "../show-states";
import { EXPLORE, GENERAL } from "./agent-type-fixtures";

const meta = {
  component: AgentTypeRow,
  render: (args) => (
    <SettingsList>
      <AgentTypeRow {...args} />
    </SettingsList>
  ),
  args: {
    agentType: EXPLORE,
    modelName: "Deep",
    missingTools: [],
    isDefault: false,
    isOnlyOne: false,
    isBusy: false,
    onEdit: fn(),
    onDelete: fn(),
  },
} satisfies Meta<typeof AgentTypeRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const onlyOne: Story = { args: { isOnlyOne: true } };

export const States: Story = showStates(meta, {
  Full: {},
  Default: { args: { agentType: GENERAL, modelName: undefined, isDefault: true } },
  "Missing tool": { args: { missingTools: ["lint"] } },
  "Only one": onlyOne,
});

export const OnAPhone: Story = { globals: { viewport: { value: "mobile1" } } };

export const TestDelete: Story = {
  name: "(Test) An agent type is deleted after a question",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Delete explore" }));
    await expect(args.onDelete).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole("button", { name: "Delete agent type" }));
    await expect(args.onDelete).toHaveBeenCalledTimes(1);
  },
};

export const TestOnlyOne: Story = {
  ...onlyOne,
  name: "(Test) The only type can be changed, and says why it cannot be deleted",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.queryByRole("button", { name: /Delete/ })).toBeNull();
    await expect(canvas.getByText("The only type cannot be deleted")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Edit explore" }));
    await expect(args.onEdit).toHaveBeenCalledOnce();
  },
};
