import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaJsonField } from "@/components/schema-form/schema-json-field";
import { untouched } from "../answers/untouched-story";
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

export const Empty: Story = { args: toFormArgs(free) };
export const Filled: Story = {
  args: toFormArgs(free, { anything: "in words", settings: { theme: "dark" } }),
};
export const WithHint: Story = {
  args: toFormArgs(object({ settings: { type: "object", description: "As they were" } })),
};
export const InvalidJson: Story = { args: toFormArgs(free, { settings: '{"theme": ' }) };
export const WithError: Story = {
  args: {
    ...toFormArgs(free),
    errors: [{ pointer: "/anything", message: "is required" }],
  },
};
export const Disabled: Story = { args: { ...Filled.args, disabled: true } };
export const LongWords: Story = {
  args: toFormArgs(object({ settings: { type: "object", title: LONG_WORDS } }), {
    settings: { [LONG_WORD]: LONG_WORDS },
  }),
  globals: { viewport: { value: "mobile1" } },
};

export const UntouchedSendsNothing = untouched(free, "Anything is required.");

export const TestFreeJson: Story = {
  ...Empty,
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
  ...Empty,
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

export const TestFilled: Story = {
  ...Filled,
  name: "(Test) A string has no quotes, an object is indented",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "Anything" })).toHaveValue("in words");
    await expect(canvas.getByRole("textbox", { name: "Settings (optional)" })).toHaveValue(
      '{\n  "theme": "dark"\n}',
    );
  },
};

export const TestInvalidJson: Story = {
  ...InvalidJson,
  name: "(Test) Invalid JSON in a draft is reported at once",
  play: async ({ canvas }) => {
    const settings = canvas.getByRole("textbox", { name: "Settings (optional)" });
    await expect(settings).toBeInvalid();
    await expect(canvas.getByRole("alert")).toHaveTextContent(/^Must be valid JSON\.$/);
  },
};

export const TestError: Story = {
  ...WithError,
  name: "(Test) Hint and error describe the field",
  play: async ({ canvas }) => {
    const anything = canvas.getByRole("textbox", { name: "Anything" });
    await expect(anything).toBeRequired();
    await expect(anything).toBeInvalid();
    await expect(anything).toHaveAccessibleDescription(
      "Enter JSON. Other input is sent as text. Is required.",
    );
    await expect(canvas.getByRole("textbox", { name: "Settings (optional)" })).toBeValid();
  },
};

export const TestHint: Story = {
  ...WithHint,
  name: "(Test) The description and the note are separate sentences",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("textbox")).toHaveAccessibleDescription(
      "As they were. A JSON object.",
    );
  },
};

export const TestDisabled: Story = {
  ...Disabled,
  name: "(Test) A disabled field is readable",
  play: async ({ canvas }) => {
    for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
    await expect(canvas.getByRole("textbox", { name: "Anything" })).toHaveValue("in words");
  },
};

export const TestLongWords: Story = {
  ...LongWords,
  name: "(Test) Long texts wrap",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
