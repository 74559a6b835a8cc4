import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import type { JsonValue } from "@/contract/json";
import { SchemaSelectField } from "@/components/schema-form/schema-select-field";
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

const meta = { ...schemaFormMeta, component: SchemaSelectField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const choices = object(
  {
    size: { enum: ["S", "M", "L"] },
    color: { enum: ["red", "green", "blue", "white", "black"] },
    level: {
      oneOf: [
        { const: 1, title: "Low" },
        { const: 2, title: "High" },
      ],
    },
    tags: { type: "array", uniqueItems: true, items: { enum: ["new", "sale"] } },
    version: { const: 2 },
  },
  "size",
  "version",
);
const COUNTRIES = ["Austria", "Belgium", "Croatia", "Denmark", "Estonia"];

const choicesState: Story = { args: toFormArgs(choices) };

const only = object({ version: { const: 2, description: "Of the format." } }, "version");
const onlyValue: Story = { args: toFormArgs(only) };
const otherValue: Story = {
  args: {
    ...toFormArgs(only, { version: 3 }),
    errors: [{ pointer: "/version", message: "must be 2" }],
  },
};
const requiredDropdown: Story = {
  args: toFormArgs(object({ country: { enum: COUNTRIES, description: "Of birth." } }, "country")),
};
const falsyValues: Story = {
  args: toFormArgs(object({ pick: { enum: [false, 0, "", null] } }, "pick")),
};
const objectValues: Story = {
  args: toFormArgs(object({ point: { enum: [{ x: 1 }, { x: 2 }] } }, "point")),
};

export const States: Story = showStates(meta, {
  Empty: choicesState,
  "Filled: the selected values are shown": {
    args: toFormArgs(choices, { size: "M", color: "blue", level: 2, tags: ["sale"], version: 2 }),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "M" })).toBeChecked();
      await expect(canvas.getByRole("combobox")).toHaveDisplayValue("blue");
      await expect(canvas.getByRole("radio", { name: "High" })).toBeChecked();
      await expect(canvas.getByRole("checkbox", { name: "sale" })).toBeChecked();
      await expect(canvas.getByRole("checkbox", { name: "new" })).not.toBeChecked();
      await expect(canvas.getByRole("radio", { name: "2" })).toBeChecked();
    },
  },
  "With error: it describes the choice": {
    args: {
      ...toFormArgs(choices),
      errors: [
        { pointer: "/size", message: "is required" },
        { pointer: "/color", message: "is sold out" },
        { pointer: "/tags", message: "must have at least 1 item" },
      ],
    },
    play: async ({ canvas }) => {
      const size = canvas.getByRole("radiogroup", { name: "Size" });
      await expect(size).toBeInvalid();
      await expect(size).toHaveAccessibleDescription("Is required.");
      const color = canvas.getByRole("combobox", { name: "Color (optional)" });
      await expect(color).toBeInvalid();
      await expect(color).toHaveAccessibleDescription("Is sold out.");
      const tags = canvas.getByRole("group", { name: "Tags (optional)" });
      await expect(tags).toBeInvalid();
      await expect(tags).toHaveAccessibleDescription("Must have at least 1 item.");
      await expect(canvas.getAllByRole("alert")).toHaveLength(3);
      await expect(canvas.getByRole("radiogroup", { name: "Level (optional)" })).toBeValid();
    },
  },
  "Only value": onlyValue,
  "Other value": otherValue,
  "Disabled: it cannot be changed": {
    args: { ...choicesState.args, disabled: true },
    play: async ({ canvas }) => {
      const controls = ["radio", "checkbox", "combobox"].flatMap((role) =>
        canvas.getAllByRole(role),
      );
      for (const control of controls) await expect(control).toBeDisabled();
    },
  },
  "Required dropdown": requiredDropdown,
  "Falsy values": falsyValues,
  "Object values": objectValues,
});

export const TestChoices: Story = {
  ...choicesState,
  name: "(Test) Selected values keep their type and can be omitted again",
  play: async ({ args, canvas, userEvent }) => {
    const color = canvas.getByRole("combobox", { name: "Color (optional)" });
    await userEvent.click(canvas.getByRole("radio", { name: "M" }));
    await userEvent.click(canvas.getByRole("radio", { name: "High" }));
    await userEvent.selectOptions(color, "blue");
    await userEvent.click(canvas.getByRole("checkbox", { name: "sale" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      size: "M",
      level: 2,
      color: "blue",
      tags: ["sale"],
    });
    await userEvent.selectOptions(color, "Not set");
    await userEvent.click(canvas.getByRole("checkbox", { name: "sale" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      size: "M",
      level: 2,
    });
  },
};

export const UntouchedSendsNothing = untouched(
  choices,
  "Size is required.",
  "Version is required.",
);
export const UntouchedListSendsNothing = untouched(
  object({ tags: { type: "array", uniqueItems: true, items: { enum: ["new", "sale"] } } }, "tags"),
  "Tags is required.",
);

export const TestOnlyValue: Story = {
  ...onlyValue,
  name: "(Test) The only value has to be selected like any other",
  play: async ({ args, canvas, userEvent }) => {
    const only = canvas.getByRole("radio", { name: "2" });
    await expect(only).not.toBeChecked();
    await userEvent.click(only);
    await expect(args.onChange).toHaveBeenLastCalledWith({ version: 2 });
  },
};

export const TestOtherValue: Story = {
  ...otherValue,
  name: "(Test) Another value from a draft is reported and can be replaced",
  play: async ({ args, canvas, userEvent }) => {
    const version = canvas.getByRole("radiogroup", { name: "Version" });
    await expect(version).toBeInvalid();
    await expect(version).toHaveAccessibleDescription("Of the format. Must be 2.");
    await expect(canvas.getByRole("radio", { name: "2" })).not.toBeChecked();
    await userEvent.click(canvas.getByRole("radio", { name: "2" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ version: 2 });
  },
};

export const TestRequiredDropdown: Story = {
  ...requiredDropdown,
  name: "(Test) A required dropdown has no initial selection and cannot be omitted",
  play: async ({ args, canvas, userEvent }) => {
    const country = canvas.getByRole("combobox", { name: "Country" });
    await expect(country).toBeRequired();
    await expect(country).toHaveAccessibleDescription("Of birth.");
    await expect(country).toHaveDisplayValue("Choose…");
    await expect(canvas.getByRole("option", { name: "Choose…" })).toBeDisabled();
    await expect(canvas.queryByRole("option", { name: "Not set" })).toBeNull();
    await userEvent.selectOptions(country, "Croatia");
    await expect(args.onChange).toHaveBeenLastCalledWith({ country: "Croatia" });
  },
};

const falsy: [name: string, pick: JsonValue][] = [
  ["No", false],
  ["0", 0],
  ["Empty text", ""],
  ["No value", null],
];

export const TestFalsyValues: Story = {
  ...falsyValues,
  name: "(Test) Falsy values can be selected",
  play: async ({ args, canvas, userEvent }) => {
    for (const radio of canvas.getAllByRole("radio")) await expect(radio).not.toBeChecked();
    for (const [name, pick] of falsy) {
      await userEvent.click(canvas.getByRole("radio", { name }));
      await expect(canvas.getByRole("radio", { name })).toBeChecked();
      await expect(args.onChange).toHaveBeenLastCalledWith({ pick });
    }
  },
};

export const TestObjectValues: Story = {
  ...objectValues,
  name: "(Test) Objects are shown as JSON",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: '{"x":2}' }));
    await expect(canvas.getByRole("radio", { name: '{"x":2}' })).toBeChecked();
    await expect(args.onChange).toHaveBeenLastCalledWith({ point: { x: 2 } });
  },
};

/** Long values are shown in a dropdown and wrap. */
export const LongValues: Story = {
  args: toFormArgs(
    object({
      reason: { enum: [LONG_WORDS, LONG_WORD] },
      reasons: { type: "array", uniqueItems: true, items: { enum: [LONG_WORDS, "Other"] } },
    }),
  ),
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole("combobox", { name: "Reason (optional)" })).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
