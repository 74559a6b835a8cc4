import type { Meta } from "@storybook/nextjs-vite";
import { expect, within } from "storybook/test";
import { SchemaMapField } from "@/components/schema-form/schema-map-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import {
  LONG_WORD,
  object,
  schemaFormMeta,
  type SchemaFormStory,
  toFormArgs,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaMapField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const labels = object({
  labels: {
    type: "object",
    description: "To find it again.",
    additionalProperties: { type: "string" },
    maxProperties: 2,
  },
});
const scores = object({ scores: { type: "object", additionalProperties: { type: "number" } } });
const variables = object({
  env: {
    type: "object",
    title: "Environment",
    patternProperties: { "^[A-Z_]+$": { type: "string" } },
    additionalProperties: false,
  },
});
const ports = object({
  ports: {
    type: "object",
    additionalProperties: object({ from: { type: "integer" }, to: { type: "integer" } }, "from"),
  },
});

const empty: Story = { args: toFormArgs(labels) };

export const States: Story = showStates(meta, {
  Empty: empty,
  Filled: { args: toFormArgs(scores, { scores: { Ada: 3, Grace: 0.5 } }) },
  "The pattern of the names is shown": {
    args: toFormArgs(variables, { env: { HOME: "/root" } }),
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("group", { name: "Environment (optional)" }),
      ).toHaveAccessibleDescription("Names in the format ^[A-Z_]+$");
    },
  },
  "Filled, values with fields": {
    args: toFormArgs(ports, { ports: { web: { from: 80, to: 8080 } } }),
  },
  "Full: there is no button to add names": {
    args: toFormArgs(labels, { labels: { a: "1", b: "2" } }),
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: /^Add/ })).toBeNull();
    },
  },
  "With error, at the second of two equal names and at a value": {
    args: {
      ...toFormArgs(scores, {
        scores: [
          ["Ada", 1],
          ["Ada", 2],
          ["Grace", "x"],
        ],
      }),
      errors: [
        { pointer: "/scores/Ada", message: "is there twice" },
        { pointer: "/scores/Grace", message: "must be a number" },
      ],
    },
    play: async ({ canvas }) => {
      const names = canvas.getAllByRole("textbox", { name: "Name" });
      await expect(names[1]).toHaveAccessibleDescription("Is there twice.");
      await expect(
        canvas.getAllByRole("textbox", { name: "Value" })[2],
      ).toHaveAccessibleDescription("Must be a number.");
    },
  },
  Disabled: { args: { ...toFormArgs(labels, { labels: { a: "1" } }), disabled: true } },
});

export const UntouchedSendsNothing = untouched(
  labels,
  "The answer must have a value in a field, or be sent without any.",
);

export const TestRows: Story = {
  ...empty,
  name: "(Test) Names and values are added, changed and removed by the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Add an item" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await userEvent.keyboard("area{Tab}docs");
    await expect(args.onChange).toHaveBeenLastCalledWith({ labels: { area: "docs" } });
    await userEvent.click(canvas.getByRole("button", { name: "Add another" }));
    await userEvent.keyboard("10{Tab}ten");
    await expect(args.onChange).toHaveBeenLastCalledWith({ labels: { area: "docs", "10": "ten" } });
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 1" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ labels: { "10": "ten" } });
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 1" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

export const TestObjects: Story = {
  args: toFormArgs(ports),
  name: "(Test) Values can have fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add an item" }));
    await userEvent.keyboard("web");
    const value = within(canvas.getByRole("group", { name: "Value" }));
    await userEvent.type(value.getByRole("textbox", { name: "From" }), "80");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ports: { web: { from: 80 } } });
  },
};

export const Narrow: Story = {
  args: toFormArgs(labels, { labels: { [LONG_WORD]: LONG_WORD } }),
  globals: { viewport: { value: "phone" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
