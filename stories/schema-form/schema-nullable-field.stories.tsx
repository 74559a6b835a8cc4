import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaNullableField } from "@/components/schema-form/schema-nullable-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaNullableField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const task = object(
  {
    due: { type: ["string", "null"], format: "date", description: "At the end of the day." },
    assignee: { anyOf: [{ type: "string" }, { type: "null" }] },
    done: { type: ["boolean", "null"] },
  },
  "due",
  "assignee",
);

const empty: Story = { args: toFormArgs(task) };

export const States: Story = showStates(meta, {
  Empty: empty,
  "A value that is not there is checked, and its input cannot be used": {
    args: toFormArgs(task, { due: null, assignee: "Ada", done: null }),
    play: async ({ canvas }) => {
      await expect(canvas.getByLabelText("Due")).toBeDisabled();
      await expect(canvas.getByRole("checkbox", { name: "No value for Due" })).toBeChecked();
      await expect(canvas.getByRole("textbox", { name: "Assignee" })).toBeEnabled();
      await expect(canvas.getByRole("radio", { name: "Yes" })).toBeDisabled();
    },
  },
  "With error: the hint and the error describe the input": {
    args: { ...empty.args, errors: [{ pointer: "/due", message: "is required" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByLabelText("Due")).toHaveAccessibleDescription(
        "At the end of the day. Is required.",
      );
    },
  },
  Disabled: { args: { ...toFormArgs(task, { due: null }), disabled: true } },
});

export const UntouchedSendsNothing = untouched(task, "Due is required.", "Assignee is required.");

export const TestNull: Story = {
  ...empty,
  name: "(Test) No value is an answer of its own; what was entered is kept meanwhile",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Assignee" }), "Ada");
    await userEvent.tab();
    await expect(canvas.getByRole("checkbox", { name: "No value for Assignee" })).toHaveFocus();
    await userEvent.keyboard(" ");
    await expect(args.onChange).toHaveBeenLastCalledWith({ assignee: null });
    await userEvent.keyboard(" ");
    await expect(args.onChange).toHaveBeenLastCalledWith({ assignee: "Ada" });
  },
};
