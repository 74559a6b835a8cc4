import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { GroupsSettings } from "@/components/settings/groups-settings";
import { failed, ready, UNAVAILABLE } from "./fixtures";
import { PLAN, REVIEW, TOOLS } from "./group-fixtures";

const meta = {
  component: GroupsSettings,
  args: {
    ...{ groups: ready([REVIEW, PLAN]), onReload: fn(), tools: ready(TOOLS), onReloadTools: fn() },
    ...{ onSave: fn(), isSaving: false, saveProblem: undefined, onCloseForm: fn() },
    ...{ onRemove: fn(), removalProblem: undefined },
  },
} satisfies Meta<typeof GroupsSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Many: Story = {};
export const None: Story = { args: { groups: ready([]) } };
export const Loading: Story = { args: { groups: { state: "loading" } } };
export const LoadError: Story = { args: { groups: failed } };
export const RemovalError: Story = { args: { removalProblem: UNAVAILABLE } };

export const TestAdd: Story = {
  name: "(Test) A new group is saved behind the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add group" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "write");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      [REVIEW, PLAN, { ...PLAN, name: "write" }],
      expect.any(Function),
    );
  },
};

export const TestEdit: Story = {
  name: "(Test) A group is changed in its place, and deleted from among the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit review" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Description" }), "!");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      [{ ...REVIEW, description: `${REVIEW.description}!` }, PLAN],
      expect.any(Function),
    );
    await userEvent.click(canvas.getByRole("button", { name: "Delete plan" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete group" }));
    await expect(args.onRemove).toHaveBeenCalledWith([REVIEW]);
  },
};
