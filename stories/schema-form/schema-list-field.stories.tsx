import type { Meta } from "@storybook/nextjs-vite";
import { expect, within } from "storybook/test";
import type { JsonObject } from "@/contract/json";
import { SchemaListField } from "@/components/schema-form/schema-list-field";
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

const meta = { ...schemaFormMeta, component: SchemaListField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const list = (rest: JsonObject = {}) =>
  object({ words: { type: "array", items: { type: "string" }, ...rest } }, "words");

const empty: Story = { args: toFormArgs(list({ description: "In any order." })) };
const items: Story = { args: toFormArgs(list(), { words: ["one", "two", "three"] }) };
const objects: Story = {
  args: toFormArgs(
    object(
      {
        legs: {
          type: "array",
          items: object({ from: { type: "string" }, to: { type: "string" } }, "from", "to"),
        },
      },
      "legs",
    ),
    { legs: [{ from: "VIE", to: "LIS" }] },
  ),
};
const full: Story = { args: toFormArgs(list({ maxItems: 2 }), { words: ["one", "two"] }) };

export const States: Story = showStates(meta, {
  Empty: empty,
  "Empty: an optional list is labeled as optional": {
    args: toFormArgs(object({ words: { type: "array", items: { type: "string" } } })),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Words (optional)" })).toBeVisible();
    },
  },
  "Filled: the first item cannot move up, the last one not down": {
    ...items,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Move item 1 up" })).toBeDisabled();
      await expect(canvas.getByRole("button", { name: "Move item 2 up" })).toBeEnabled();
      await expect(canvas.getByRole("button", { name: "Move item 2 down" })).toBeEnabled();
      await expect(canvas.getByRole("button", { name: "Move item 3 down" })).toBeDisabled();
    },
  },
  "Filled, objects": objects,
  Full: full,
  "With error, at the list and at its items": {
    args: {
      ...items.args,
      errors: [
        { pointer: "/words", message: "must have at most 2 items" },
        { pointer: "/words/1", message: "must have at least 5 characters" },
      ],
    },
    play: async ({ canvas }) => {
      const words = canvas.getByRole("group", { name: "Words" });
      await expect(words).toBeInvalid();
      await expect(words).toHaveAccessibleDescription("Must have at most 2 items.");
      await expect(canvas.getByText("Must have at most 2 items.")).toBeVisible();
      await expect(canvas.getByRole("textbox", { name: "Words 2" })).toHaveAccessibleDescription(
        "Must have at least 5 characters.",
      );
      await expect(canvas.getByRole("textbox", { name: "Words 1" })).toBeValid();
    },
  },
  "Disabled: it cannot be changed": {
    args: { ...items.args, disabled: true },
    play: async ({ canvas }) => {
      const controls = [...canvas.getAllByRole("textbox"), ...canvas.getAllByRole("button")];
      await expect(controls).toHaveLength(3 + 3 * 3 + 1);
      for (const control of controls) await expect(control).toBeDisabled();
    },
  },
});

export const UntouchedSendsNothing = untouched(list(), "Words is required.");

export const TestEmptyChoice: Story = {
  args: { ...toFormArgs(list()), errors: [{ pointer: "/words", message: "is required" }] },
  name: "(Test) An empty list is a choice of its own, and ends with the first item",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Words" }),
    );
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: [] });
    await userEvent.click(canvas.getByRole("button", { name: "Add an item" }));
    await userEvent.keyboard("one");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["one"] });
    await expect(canvas.queryByRole("checkbox")).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 1" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({});
    await expect(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Words" }),
    ).not.toBeChecked();
  },
};

export const TestItems: Story = {
  ...items,
  name: "(Test) Items can be moved, removed and added",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Move item 1 down" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "one", "three"] });
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 2" }));
    await userEvent.click(canvas.getByRole("button", { name: "Add another" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "three", null] });
    await userEvent.keyboard("four");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "three", "four"] });
  },
};

export const TestEmpty: Story = {
  ...empty,
  name: "(Test) Adding the first item focuses it",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("group", { name: "Words" })).toHaveAccessibleDescription(
      "In any order.",
    );
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Add an item" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("textbox", { name: "Words 1" })).toHaveFocus();
    await userEvent.keyboard("one");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["one"] });
    await expect(canvas.queryByRole("button", { name: "Move item 1 up" })).toBeNull();
  },
};

export const TestFocus: Story = {
  ...items,
  name: "(Test) Moving and removing items keeps the focus in the list",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Move item 1 down" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { name: "Move item 2 down" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "three", "one"] });
    await expect(canvas.getByRole("button", { name: "Move item 3 up" })).toHaveFocus();
    canvas.getByRole("button", { name: "Remove item 2" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "one"] });
    await expect(canvas.getByRole("button", { name: "Remove item 2" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { name: "Remove item 1" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith({});
    await expect(canvas.getByRole("button", { name: "Add an item" })).toHaveFocus();
  },
};

export const TestObjects: Story = {
  ...objects,
  name: "(Test) Items can be objects with fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add another" }));
    const second = canvas.getByRole("group", { name: "Legs 2" });
    await expect(within(second).getByRole("textbox", { name: "From" })).toHaveFocus();
    await userEvent.keyboard("LIS{Tab}VIE");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      legs: [
        { from: "VIE", to: "LIS" },
        { from: "LIS", to: "VIE" },
      ],
    });
  },
};

export const TestFull: Story = {
  ...full,
  name: "(Test) A full list has no button to add items",
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByRole("button", { name: /^Add/ })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 1" }));
    await expect(canvas.getByRole("button", { name: "Add another" })).toBeEnabled();
    await expect(canvas.getByRole("textbox", { name: "Words 1" })).toHaveValue("two");
  },
};

/** Long texts wrap and leave space for the buttons. */
export const LongWords: Story = {
  args: {
    ...toFormArgs(list({ title: LONG_WORD, description: LONG_WORDS }), {
      words: [LONG_WORD, LONG_WORDS, "one\ntwo"],
    }),
    errors: [{ pointer: "/words", message: LONG_WORDS }],
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    const item = canvas.getByRole("textbox", { name: /1$/ });
    await expect(item.offsetWidth).toBeGreaterThan(100);
  },
};
