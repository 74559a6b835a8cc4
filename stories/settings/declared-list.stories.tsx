import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Button } from "@/components/ui/button";
import { DeclaredList } from "@/components/settings/declared-list";
import { DeclaredRow } from "@/components/settings/declared-row";
import { failed, ready, UNAVAILABLE } from "./fixtures";

type Item = { name: string; tools: string[] };
const ONE: Item = { name: "one", tools: ["exec"] };
const TWO: Item = { name: "two", tools: [] };
const NEW: Item = { name: "three", tools: [] };

const meta = {
  component: DeclaredList<Item>,
  args: {
    ...{ title: "Lists", lead: "What is saved as a whole.", noun: "thing" },
    ...{ list: ready({ items: [ONE, TWO], version: 3 }), onReload: fn() },
    ...{ onSave: fn(), isSaving: false, saveProblem: undefined, onCloseForm: fn() },
    ...{ onRemove: fn(), removalProblem: undefined },
    form: ({ item, otherNames, onSubmit }) => (
      <Button onClick={() => onSubmit(item ? { ...item, tools: ["lint"] } : NEW)}>
        Save apart from {otherNames.join(" and ")}
      </Button>
    ),
    row: ({ name, tools }, actions) => (
      <DeclaredRow
        {...actions}
        {...{ name, tools, title: name, description: "", facts: [], problem: undefined }}
        deletion={undefined}
      />
    ),
  },
} satisfies Meta<typeof DeclaredList<Item>>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Two: Story = {};
export const None: Story = { args: { list: ready({ items: [], version: 0 }) } };
export const Loading: Story = { args: { list: { state: "loading" } } };
export const LoadError: Story = { args: { list: failed } };
export const RemovalError: Story = { args: { removalProblem: UNAVAILABLE } };

export const TestSave: Story = {
  name: "(Test) A form saves the whole list, with the version that was read",
  play: async ({ args, canvas, userEvent }) => {
    const onSaved: unknown = expect.any(Function);
    await userEvent.click(canvas.getByRole("button", { name: "Edit one" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save apart from two" }));
    const items = [{ ...ONE, tools: ["lint"] }, TWO];
    await expect(args.onSave).toHaveBeenLastCalledWith({ items, version: 3 }, onSaved);
    await userEvent.click(canvas.getByRole("button", { name: "Add thing" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save apart from one and two" }));
    const more = { items: [ONE, TWO, NEW], version: 3 };
    await expect(args.onSave).toHaveBeenLastCalledWith(more, onSaved);
  },
};
