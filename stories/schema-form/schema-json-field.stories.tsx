import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaJsonField } from "@/components/schema-form/schema-json-field";
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

const meta = { ...schemaFormMeta, component: SchemaJsonField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const free = object({ anything: {}, settings: { type: "object" } }, "anything");

const empty: Story = { args: toFormArgs(free) };
const filled: Story = {
  args: toFormArgs(free, { anything: "in words", settings: { theme: "dark" } }),
};

export const States: Story = showStates(meta, {
  Empty: empty,
  "Filled: a string has no quotes, an object is indented": {
    ...filled,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Anything" })).toHaveValue("in words");
      await expect(canvas.getByRole("textbox", { name: "Settings (optional)" })).toHaveValue(
        '{\n  "theme": "dark"\n}',
      );
    },
  },
  "The description and the note are separate sentences": {
    args: toFormArgs(object({ settings: { type: "object", description: "As they were" } })),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox")).toHaveAccessibleDescription(
        "As they were. A JSON object.",
      );
    },
  },
  "Invalid: it is reported at once": {
    args: toFormArgs(free, { settings: '{"theme": ' }),
    play: async ({ canvas }) => {
      const settings = canvas.getByRole("textbox", { name: "Settings (optional)" });
      await expect(settings).toBeInvalid();
      await expect(canvas.getByRole("alert")).toHaveTextContent(/^Must be valid JSON\.$/);
    },
  },
  "With error: the hint and the error describe the field": {
    args: {
      ...toFormArgs(free),
      errors: [{ pointer: "/anything", message: "is required" }],
    },
    play: async ({ canvas }) => {
      const anything = canvas.getByRole("textbox", { name: "Anything" });
      await expect(anything).toBeRequired();
      await expect(anything).toBeInvalid();
      await expect(anything).toHaveAccessibleDescription(
        "Enter JSON. Other input is sent as text. Is required.",
      );
      await expect(canvas.getByRole("textbox", { name: "Settings (optional)" })).toBeValid();
    },
  },
  "Disabled: it can be read": {
    args: { ...filled.args, disabled: true },
    play: async ({ canvas }) => {
      for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
      await expect(canvas.getByRole("textbox", { name: "Anything" })).toHaveValue("in words");
    },
  },
});

export const UntouchedSendsNothing = untouched(free, "Anything is required.");

export const TestFreeJson: Story = {
  ...empty,
  name: "(Test) Fields without a schema accept JSON",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Anything" }));
    await userEvent.paste("[1, null]");
    await expect(args.onChange).toHaveBeenLastCalledWith({ anything: [1, null] });
    const settings = canvas.getByRole("textbox", { name: "Settings (optional)" });
    await userEvent.click(settings);
    await userEvent.paste('{"a": ');
    await expect(settings).toHaveAccessibleDescription(/Must be valid JSON\./);
    await userEvent.paste("1}");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      anything: [1, null],
      settings: { a: 1 },
    });
  },
};

export const TestText: Story = {
  ...empty,
  name: "(Test) Other input than JSON becomes a string; empty input is omitted",
  play: async ({ args, canvas, userEvent }) => {
    const anything = canvas.getByRole("textbox", { name: "Anything" });
    await userEvent.type(anything, "12 pieces");
    await expect(anything).toBeValid();
    await expect(args.onChange).toHaveBeenLastCalledWith({ anything: "12 pieces" });
    await userEvent.clear(anything);
    await userEvent.type(anything, "0");
    await expect(args.onChange).toHaveBeenLastCalledWith({ anything: 0 });
    await userEvent.clear(anything);
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

/** Long texts wrap. */
export const LongWords: Story = {
  args: toFormArgs(object({ settings: { type: "object", title: LONG_WORDS } }), {
    settings: { [LONG_WORD]: LONG_WORDS },
  }),
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
