import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaFixedField } from "@/components/schema-form/schema-fixed-field";
import { showStates } from "../show-states";
import {
  LONG_WORD,
  object,
  schemaFormMeta,
  type SchemaFormStory,
  toFormArgs,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaFixedField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const order = object(
  {
    id: { type: "string", readOnly: true, default: "ORD-17", description: "Of the order." },
    paid: { type: "boolean", readOnly: true, default: false },
    tags: { type: "array", items: { type: "string" }, readOnly: true, default: ["a", "b"] },
    place: {
      ...object({ lat: { type: "number" } }),
      readOnly: true,
      default: { lat: 56.41 },
    },
    note: { type: "string" },
  },
  "id",
);
const fixed: Story = { args: toFormArgs(order) };

export const States: Story = showStates(meta, {
  "Values of all types are shown, and have no input": {
    ...fixed,
    play: async ({ canvas }) => {
      const id = canvas.getByRole("group", { name: "Id" });
      await expect(id).toHaveTextContent("ORD-17");
      await expect(id).toHaveAccessibleDescription("Of the order. Cannot be changed.");
      await expect(canvas.getByText("a, b")).toBeVisible();
      await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
    },
  },
  "A long value wraps": {
    args: toFormArgs(object({ id: { type: "string", readOnly: true, default: LONG_WORD } })),
  },
});

export const TestSent: Story = {
  ...fixed,
  name: "(Test) A fixed value is sent with what is entered",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Note (optional)" }), "x");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      id: "ORD-17",
      paid: false,
      tags: ["a", "b"],
      place: { lat: 56.41 },
      note: "x",
    });
  },
};
