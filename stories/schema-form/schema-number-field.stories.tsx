import type { Meta } from "@storybook/nextjs-vite";
import { expect, mocked } from "storybook/test";
import { SchemaNumberField } from "@/components/schema-form/schema-number-field";
import { untouched, type UntouchedStory } from "../answers/untouched-story";
import { showStates } from "../show-states";
import {
  toFormArgs,
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaNumberField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const numbers = object(
  {
    price: { type: "number", description: "Without tax." },
    count: { type: "integer", default: 3 },
  },
  "price",
);

const requiredAndOptional: Story = { args: toFormArgs(numbers) };
const filled: Story = { args: toFormArgs(numbers, { price: 0, count: -2 }) };

export const States: Story = showStates(meta, {
  "Empty: the input mode fits the type of the number": {
    ...requiredAndOptional,
    play: async ({ canvas }) => {
      const [price, count] = canvas.getAllByRole("textbox");
      await expect(price).toHaveProperty("inputMode", "decimal");
      await expect(count).toHaveProperty("inputMode", "numeric");
    },
  },
  Filled: filled,
  "Invalid: a draft that is not a number is shown": {
    args: toFormArgs(numbers, { price: "many" }),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Price" })).toHaveValue("many");
    },
  },
  "With error: the hint and the error describe the field, which is required": {
    args: {
      ...toFormArgs(numbers, { price: 0 }),
      errors: [{ pointer: "/price", message: "must be more than 0" }],
    },
    play: async ({ canvas }) => {
      const price = canvas.getByRole("textbox", { name: "Price" });
      await expect(price).toBeInvalid();
      await expect(price).toBeRequired();
      await expect(price).toHaveAccessibleDescription("Without tax. Must be more than 0.");
      const count = canvas.getByRole("textbox", { name: "Count (optional)" });
      await expect(count).toBeValid();
      await expect(count).not.toBeRequired();
    },
  },
  "Disabled: it can be read": {
    args: { ...filled.args, disabled: true },
    play: async ({ canvas }) => {
      const price = canvas.getByRole("textbox", { name: "Price" });
      await expect(price).toBeDisabled();
      await expect(price).toHaveValue("0");
    },
  },
});

export const UntouchedSendsNothing = untouched(numbers, "Price is required.");

export const TestNumbers: Story = {
  ...requiredAndOptional,
  name: "(Test) Input is converted to numbers, defaults can be cleared",
  play: async ({ args, canvas, userEvent }) => {
    const price = canvas.getByRole("textbox", { name: "Price" });
    await userEvent.type(price, "-0.50");
    await expect(price).toHaveValue("-0.50");
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: -0.5, count: 3 });
    await userEvent.clear(canvas.getByRole("textbox", { name: "Count (optional)" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: -0.5 });
  },
};

const typed: [text: string, output: number | string][] = [
  ["0", 0],
  ["-0", -0],
  ["1.", 1],
  [".5", 0.5],
  ["+7", 7],
  ["1e3", 1000],
  ["1,5", 1.5],
  ["1.000,50", 1000.5],
  ["1 000", 1000],
  ["\u22125", -5],
  ["15 €", 15],
  ["1,000", "1,000"],
  ["0x10", "0x10"],
  ["many", "many"],
];

export const TestTyped: Story = {
  ...requiredAndOptional,
  name: "(Test) The typed text is kept; other input than numbers stays text",
  play: async ({ args, canvas, userEvent }) => {
    const price = canvas.getByRole("textbox", { name: "Price" });
    for (const [text, output] of typed) {
      await userEvent.clear(price);
      await userEvent.type(price, text);
      await expect(price).toHaveValue(text);
      await expect(args.onChange).toHaveBeenLastCalledWith({ price: output, count: 3 });
    }
  },
};

export const TestReading: Story = {
  ...requiredAndOptional,
  name: "(Test) It says how a number was read that is not plain, and what two meanings are",
  play: async ({ canvas, userEvent }) => {
    const price = canvas.getByRole("textbox", { name: "Price" });
    await userEvent.type(price, "0.15");
    await expect(price).toHaveAccessibleDescription("Without tax.");
    await userEvent.clear(price);
    await userEvent.type(price, "0,15");
    await expect(price).toHaveAccessibleDescription("Without tax. Read as 0.15.");
    await userEvent.clear(price);
    await userEvent.type(price, "1.000");
    await expect(price).toHaveAccessibleDescription("Without tax. Read as 1.");
  },
};

export const TestMeanings: UntouchedStory = {
  ...untouched(numbers),
  name: "(Test) A number with two meanings is not sent, and both are named",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Price" }), "1,000");
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByRole("textbox", { name: "Price" })).toHaveAccessibleDescription(
      "Without tax. Can mean 1000 or 1.000: enter the one that you mean.",
    );
  },
};

/** Long texts wrap. */
export const LongWords: Story = {
  args: {
    ...toFormArgs(
      object({ price: { type: "number", title: LONG_WORDS, description: LONG_WORDS } }),
    ),
    errors: [{ pointer: "/price", message: LONG_WORDS }],
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

const identifier = object({ id: { type: "integer" } }, "id");

export const TestDigits: Story = {
  args: toFormArgs(identifier),
  name: "(Test) An id of 19 digits is kept as it was entered",
  play: async ({ args, canvas, userEvent }) => {
    const id = canvas.getByRole("textbox", { name: "Id" });
    await userEvent.type(id, "01234567890123456789");
    await expect(id).toHaveValue("01234567890123456789");
    const entered = mocked(args.onChange).mock.lastCall?.[0];
    await expect(JSON.stringify(entered)).toBe('{"id":1234567890123456789}');
  },
};
