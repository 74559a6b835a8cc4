import type { Meta } from "@storybook/nextjs-vite";
import { expect, within } from "storybook/test";
import { SchemaObjectField } from "@/components/schema-form/schema-object-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import {
  toFormArgs,
  LONG_WORD,
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaObjectField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const person = {
  ...object({ first_name: { type: "string" }, last_name: { type: "string" } }, "first_name"),
  description: "As in the passport.",
};
const trip = object({ traveller: person, guide: person }, "traveller");

const nested: Story = { args: toFormArgs(trip) };
const filled: Story = {
  args: toFormArgs(trip, { traveller: { first_name: "Ada", last_name: "Lovelace" } }),
};
const rootObject: Story = { args: toFormArgs({ ...person, title: "Person" }) };

export const States: Story = showStates(meta, {
  Nested: nested,
  Filled: filled,
  "With error: the hint and the error describe the object": {
    args: {
      ...filled.args,
      errors: [{ pointer: "/traveller", message: "has been here already" }],
    },
    play: async ({ canvas }) => {
      const traveller = canvas.getByRole("group", { name: "Traveller" });
      await expect(traveller).toBeInvalid();
      await expect(traveller).toHaveAccessibleDescription(
        "As in the passport. Has been here already.",
      );
      await expect(canvas.getByRole("group", { name: "Guide (optional)" })).not.toHaveAttribute(
        "aria-invalid",
      );
      await expect(canvas.getAllByRole("alert")).toHaveLength(1);
    },
  },
  "Disabled: the fields can be read": {
    args: { ...filled.args, disabled: true },
    play: async ({ canvas }) => {
      const traveller = within(canvas.getByRole("group", { name: "Traveller" }));
      await expect(traveller.getByRole("textbox", { name: "First name" })).toHaveValue("Ada");
      for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
    },
  },
  "The label of the root object is visually hidden": {
    ...rootObject,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Person" })).toBeVisible();
      await expect(canvas.getByText("Person").offsetWidth).toBe(1);
    },
  },
  "With error, of the root object": {
    args: { ...rootObject.args, errors: [{ pointer: "", message: "is a duplicate" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Person" })).toHaveAccessibleDescription(
        "As in the passport. Is a duplicate.",
      );
    },
  },
});

export const UntouchedSendsNothing = untouched(trip, "Traveller › First name is required.");
export const UntouchedOptionalSendsNothing = untouched(
  object({ guide: person }),
  "The answer must have a value in a field, or be sent without any.",
);

export const TestNested: Story = {
  ...nested,
  name: "(Test) Fields are grouped under the label and hint of their object",
  play: async ({ args, canvas, userEvent }) => {
    const traveller = canvas.getByRole("group", { name: "Traveller" });
    await expect(traveller).toHaveAccessibleDescription("As in the passport.");
    await userEvent.type(within(traveller).getByRole("textbox", { name: "First name" }), "Ada");
    await expect(args.onChange).toHaveBeenLastCalledWith({ traveller: { first_name: "Ada" } });
    const guide = within(canvas.getByRole("group", { name: "Guide (optional)" }));
    await userEvent.type(guide.getByRole("textbox", { name: "Last name (optional)" }), "B");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      traveller: { first_name: "Ada" },
      guide: { last_name: "B" },
    });
  },
};

/** Long texts wrap. */
export const LongWords: Story = {
  args: {
    ...toFormArgs(object({ traveller: { ...person, title: LONG_WORDS, description: LONG_WORD } })),
    errors: [{ pointer: "/traveller", message: LONG_WORDS }],
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
