import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { GroupRow } from "@/components/settings/group-row";
import { SettingsList } from "@/components/settings/settings-list";
import { showStates } from "../show-states";
import { PLAN, REVIEW } from "./group-fixtures";

const meta = {
  component: GroupRow,
  render: (args) => (
    <SettingsList>
      <GroupRow {...args} />
    </SettingsList>
  ),
  args: { group: REVIEW, missingTools: [], isBusy: false, onEdit: fn(), onDelete: fn() },
} satisfies Meta<typeof GroupRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Full: {},
  Empty: { args: { group: PLAN } },
  "Missing tool": { args: { missingTools: ["lint"] } },
});

export const TestDelete: Story = {
  name: "(Test) A group is deleted after a question",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Delete review" }));
    await expect(args.onDelete).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole("button", { name: "Delete group" }));
    await expect(args.onDelete).toHaveBeenCalledTimes(1);
  },
};
