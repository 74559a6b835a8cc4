import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaCycleTemplate } from "@/components/forms/schema-cycle-template";
import {
  toFormArgs,
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaCycleTemplate } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const chain = (next: { title?: string } = {}) => ({
  $ref: "#/$defs/node",
  $defs: {
    node: object({ name: { type: "string" }, next: { $ref: "#/$defs/node", ...next } }, "name"),
  },
});

export const NextLevel: Story = { args: toFormArgs(chain()) };
export const OwnTitle: Story = { args: toFormArgs(chain({ title: "The one after" })) };
export const LongTitle: Story = {
  args: toFormArgs(chain({ title: LONG_WORDS })),
  globals: { viewport: { value: "mobile1" } },
};

export const TestLevels: Story = {
  ...NextLevel,
  name: "(Test) A recursive schema is filled in level by level",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "a");
    await userEvent.click(canvas.getByRole("button", { name: "Fill in “Next”" }));
    const [, inner] = canvas.getAllByRole("textbox", { name: "Name" });
    if (!inner) throw new Error("the inner field is missing");
    await userEvent.type(inner, "b");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "a", next: { name: "b" } });
    await expect(canvas.getByRole("button", { name: "Fill in “Next”" })).toBeVisible();
  },
};

export const TestKeyboard: Story = {
  ...NextLevel,
  name: "(Test) Opening a level focuses its first field",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Fill in “Next”" })).toHaveFocus();
    await userEvent.keyboard("{Enter}b{Tab}{Enter}c");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      name: "",
      next: { name: "b", next: { name: "c" } },
    });
  },
};

export const TestOwnTitle: Story = {
  ...OwnTitle,
  name: "(Test) The button uses the title from the schema",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Fill in “The one after”" })).toBeVisible();
  },
};

export const TestLongTitle: Story = {
  ...LongTitle,
  name: "(Test) A long title is truncated but stays in the accessible name",
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole("button", { name: `Fill in “${LONG_WORDS}”` })).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
