import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaTupleField } from "@/components/schema-form/schema-tuple-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaTupleField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const range = (...required: string[]) =>
  object(
    {
      leg: {
        type: "array",
        description: "Of the trip.",
        prefixItems: [{ type: "string", title: "From" }, { type: "integer" }],
        minItems: 2,
        maxItems: 2,
      },
    },
    ...required,
  );

const empty: Story = { args: toFormArgs(range()) };

export const States: Story = showStates(meta, {
  Empty: empty,
  Filled: { args: toFormArgs(range("leg"), { leg: ["Oban", 3] }) },
  "With error: it stands at its place": {
    args: {
      ...toFormArgs(range("leg"), { leg: ["Oban", null] }),
      errors: [{ pointer: "/leg/1", message: "is required" }],
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Item 2" })).toHaveAccessibleDescription(
        "Is required.",
      );
    },
  },
  Disabled: { args: { ...toFormArgs(range(), { leg: ["Oban", 3] }), disabled: true } },
});

export const UntouchedSendsNothing = untouched(range("leg"), "Leg is required.");

export const TestPlaces: Story = {
  ...empty,
  name: "(Test) Each place has its field; without any value there is no list",
  play: async ({ args, canvas, userEvent }) => {
    const from = canvas.getByRole("textbox", { name: "From" });
    await userEvent.type(from, "Oban{Tab}3");
    await expect(args.onChange).toHaveBeenLastCalledWith({ leg: ["Oban", 3] });
    await userEvent.clear(canvas.getByRole("textbox", { name: "Item 2" }));
    await userEvent.clear(from);
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};
