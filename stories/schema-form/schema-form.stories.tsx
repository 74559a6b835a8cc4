import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { showStates } from "../show-states";
import { toFormArgs, object, schemaFormMeta, type SchemaFormStory } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaForm } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const order = object(
  {
    state: { enum: ["open", "shipped"] },
    parcels: { type: "integer" },
    gift: { type: "boolean" },
    note: { type: "string" },
    lines: { type: "array", items: { type: "string" } },
    address: object({ street: { type: "string" } }, "street"),
    paid: { anyOf: [{ type: "number" }, { type: "null" }] },
    extra: {},
  },
  "state",
  "parcels",
  "gift",
);

const filled: Story = {
  args: toFormArgs(order, {
    state: "open",
    parcels: 0,
    gift: true,
    note: "By noon.",
    lines: ["A-1", "B-2"],
    address: { street: "Main Street 1" },
    paid: null,
    extra: { weight: 3 },
  }),
};

export const Narrow: Story = { ...filled, globals: { viewport: { value: "mobile1" } } };

const specialCharacters: Story = {
  args: toFormArgs(
    object(
      { "a.b": { type: "string" }, "c/d": { type: "string" }, "e f": { type: "string" } },
      "a.b",
      "c/d",
      "e f",
    ),
  ),
};

export const States: Story = showStates(meta, {
  Empty: { args: toFormArgs(order) },
  Filled: filled,
  "Disabled: it can be read but not changed": {
    args: { ...filled.args, disabled: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Parcels" })).toHaveValue("0");
      const controls = ["textbox", "radio", "button"].flatMap((role) => canvas.getAllByRole(role));
      for (const control of controls) await expect(control).toBeDisabled();
    },
  },
  "Root choice": { args: toFormArgs({ enum: ["yes", "no", "later"] }) },
  "Root list": {
    args: toFormArgs({ type: "array", items: object({ sku: { type: "string" } }, "sku") }),
  },
  "Root null": { args: toFormArgs({ type: "null" }) },
  "Special characters": specialCharacters,
});

export const TestMount: Story = {
  args: toFormArgs(
    object(
      {
        name: { type: "string", default: "Ada" },
        items: { type: "array", minItems: 2, items: { type: "string" } },
        version: { const: 2, default: 2 },
        inner: object({ a: { type: "boolean" }, b: { type: "null" } }, "a", "b"),
        either: { anyOf: [{ type: "string" }, object({ x: { type: "number" } }, "x")] },
      },
      "version",
      "items",
      "inner",
      "either",
    ),
  ),
  name: "(Test) Mounting does not change the value",
  play: async ({ args, canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "Name (optional)" })).toHaveValue("Ada");
    await expect(canvas.getByRole("radio", { name: "2" })).toBeChecked();
    await expect(canvas.getAllByRole("radio", { checked: true })).toHaveLength(1);
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestNarrow: Story = {
  ...Narrow,
  name: "(Test) The form fits the width of a phone",
  play: async ({ canvasElement }) => {
    await expect(window.innerWidth).toBe(320);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestSpecialCharacters: Story = {
  ...specialCharacters,
  name: "(Test) Names can have dots, slashes and spaces",
  play: async ({ args, canvas, userEvent }) => {
    const [dot, slash, space] = canvas.getAllByRole("textbox");
    if (!dot || !slash || !space) throw new Error("a field is missing");
    await userEvent.type(dot, "1");
    await userEvent.type(slash, "2");
    await userEvent.type(space, "3");
    await expect(args.onChange).toHaveBeenLastCalledWith({ "a.b": "1", "c/d": "2", "e f": "3" });
  },
};
