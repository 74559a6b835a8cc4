import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { DeclaredList } from "@/components/settings/declared-list";
import { SettingsRow } from "@/components/settings/settings-list";
import { Button } from "@/components/ui/button";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "./fixtures";

type Harbor = { name: string };
const OBAN: Harbor = { name: "oban" };
const LEITH: Harbor = { name: "leith" };

const meta = {
  component: DeclaredList<Harbor>,
  args: {
    title: "Harbors",
    lead: "Where ships go.",
    noun: "harbor",
    list: ready({ items: [OBAN, LEITH], version: 3 }),
    onReload: fn(),
    onSave: fn(),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onRemove: fn(),
    removalProblem: undefined,
    row: ({ name }, { isBusy, onEdit, onDelete }) => (
      <SettingsRow
        title={name}
        facts={[]}
        action={
          <>
            <Button disabled={isBusy} onClick={onEdit}>
              Edit {name}
            </Button>
            <Button disabled={isBusy} onClick={onDelete}>
              Delete {name}
            </Button>
          </>
        }
      />
    ),
    form: ({ item, otherNames, onSubmit, isBusy, problem }) => (
      <div role="group" aria-label={item ? `Change ${item.name}` : "New harbor"}>
        <p>Others: {otherNames.join(", ")}</p>
        {problem && <p>{problem.detail}</p>}
        <Button disabled={isBusy} onClick={() => onSubmit({ name: "tobermory" })}>
          Save
        </Button>
      </div>
    ),
  },
} satisfies Meta<typeof DeclaredList<Harbor>>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Two: {},
  None: { args: { list: ready({ items: [], version: 0 }) } },
  Loading: { args: { list: { state: "loading" } } },
  "Load error": { args: { list: failed } },
  "While the list is saved, no row is changed": {
    args: { isSaving: true },
    play: async ({ canvas }) => {
      for (const name of ["Edit oban", "Delete leith"]) {
        await expect(canvas.getByRole("button", { name })).toBeDisabled();
      }
    },
  },
  "Removal error": { args: { removalProblem: UNAVAILABLE } },
});

export const TestAdd: Story = {
  name: "(Test) A new item is saved behind the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add harbor" }));
    await expect(canvas.getByText("Others: oban, leith")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { items: [OBAN, LEITH, { name: "tobermory" }], version: 3 },
      expect.any(Function),
    );
  },
};

export const TestEdit: Story = {
  name: "(Test) An item is changed in its place",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit oban" }));
    await expect(canvas.getByText("Others: leith")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { items: [{ name: "tobermory" }, LEITH], version: 3 },
      expect.any(Function),
    );
  },
};

export const TestDelete: Story = {
  name: "(Test) The others are saved without a deleted item",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Delete oban" }));
    await expect(args.onRemove).toHaveBeenCalledWith({ items: [LEITH], version: 3 });
  },
};
