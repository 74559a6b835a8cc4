import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { EditableList } from "@/components/settings/editable-list";
import { DetailRow } from "@/components/ui/detail-list";
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
      <DetailRow title={name} facts={[id]} action={<Button onClick={onEdit}>Edit {name}</Button>} />
    ),
    form: (_item, { onCancel, onEdit }) => (
      <>
        <input aria-label="Depth" onChange={onEdit} />
        <Button onClick={onCancel}>Cancel</Button>
      </>
    ),
    ...SAVING,
  },
} satisfies Meta<typeof EditableList<Harbor>>;
export default meta;
type Story = StoryObj<typeof meta>;

const loadError: Story = { args: { items: failed } };

export const States: Story = showStates(meta, {
  Two: {},
  Empty: {
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
  name: "(Test) The form of a new item is in a drawer, whose button has the focus again",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add harbor" }));
    await expect(await screen.findByRole("dialog", { name: "New harbor" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(canvas.getByRole("button", { name: "Add harbor" })).toHaveFocus());
    await expect(onCloseForm).toHaveBeenCalledTimes(2);
  },
};

export const TestEdit: Story = {
  name: "(Test) The form of an item begins anew, and its row stays",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit Oban" }));
    await screen.findByRole("dialog", { name: "Edit Oban" });
    await userEvent.type(screen.getByRole("textbox", { name: "Depth" }), "4");
    await expect(canvas.getByText("Oban")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await waitFor(() => expect(canvas.getByRole("button", { name: "Edit Oban" })).toHaveFocus());
    await userEvent.click(canvas.getByRole("button", { name: "Edit Oban" }));
    await screen.findByRole("dialog", { name: "Edit Oban" });
    await expect(screen.getByRole("textbox", { name: "Depth" })).toHaveValue("");
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
