import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EditableList } from "@/components/settings/editable-list";
import { SettingsRow } from "@/components/settings/settings-list";
import { Button } from "@/components/ui/button";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "./fixtures";

type Harbor = { id: string; name: string };
const OBAN: Harbor = { id: "oban", name: "Oban" };
const TOBERMORY: Harbor = { id: "tobermory", name: "Tobermory" };

const onCloseForm = fn();
const SAVING = { isSaving: false, saveProblem: undefined, onCloseForm, changeProblem: undefined };

const meta = {
  component: EditableList<Harbor>,
  args: {
    title: "Harbors",
    lead: "Where ships go.",
    noun: "harbor",
    items: ready([OBAN, TOBERMORY]),
    onReload: fn(),
    getKey: ({ id }) => id,
    row: ({ id, name }, onEdit) => (
      <SettingsRow
        title={name}
        facts={[id]}
        action={<Button onClick={onEdit}>Edit {name}</Button>}
      />
    ),
    form: (_item, { label, onCancel }) => (
      <div role="group" aria-label={label}>
        <Button onClick={onCancel}>Close</Button>
      </div>
    ),
    ...SAVING,
  },
} satisfies Meta<typeof EditableList<Harbor>>;
export default meta;
type Story = StoryObj<typeof meta>;

const loadError: Story = { args: { items: failed } };

export const States: Story = showStates(meta, {
  Two: {},
  "An empty list says so": {
    args: { items: ready([]) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("There are no harbors yet.")).toBeVisible();
    },
  },
  Loading: { args: { items: { state: "loading" } } },
  "Load error": loadError,
  "Change error": { args: { changeProblem: UNAVAILABLE } },
});

export const TestAdd: Story = {
  name: "(Test) The form of a new item takes the place of the button",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add harbor" }));
    await expect(canvas.getByRole("group", { name: "New harbor" })).toBeVisible();
    await expect(canvas.queryByRole("button", { name: "Add harbor" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Close" }));
    await expect(canvas.getByRole("button", { name: "Add harbor" })).toBeVisible();
    await expect(onCloseForm).toHaveBeenCalledTimes(2);
  },
};

export const TestEdit: Story = {
  name: "(Test) The form of an item takes the place of its row, one at a time",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit Oban" }));
    await expect(canvas.getByRole("group", { name: "Edit Oban" })).toBeVisible();
    await expect(canvas.queryByRole("button", { name: "Edit Oban" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Edit Tobermory" }));
    await expect(canvas.getByRole("group", { name: "Edit Tobermory" })).toBeVisible();
    await expect(canvas.queryByRole("group", { name: "Edit Oban" })).toBeNull();
  },
};

export const TestLoadError: Story = {
  name: "(Test) A list that was not loaded can be loaded again",
  ...loadError,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText("The harbors could not be loaded")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledTimes(1);
  },
};
