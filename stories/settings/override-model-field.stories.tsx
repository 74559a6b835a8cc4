import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { OverrideModelField } from "@/components/settings/override-model-field";
import { showStates } from "../show-states";
import { DEEP, DELETED_ID, failed, model, MODELS, ready, RETIRED, SWIFT } from "./fixtures";

const meta = {
  component: OverrideModelField,
  args: {
    texts: {
      none: "Use the chat’s model",
      hint: "Which model gives the advice.",
      unavailable: "This model is not available any more. The chat’s model gives the advice.",
    },
    models: ready(MODELS),
    value: null,
    onChange: fn(),
    onReloadModels: fn(),
    error: undefined,
  },
} satisfies Meta<typeof OverrideModelField>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const picker = (canvas: Canvas) => canvas.getByRole("combobox", { name: "Model" });
const findOptions = (canvas: Canvas) =>
  within(picker(canvas))
    .getAllByRole("option")
    .map((option) => option.textContent);

const selected: Story = { args: { value: DEEP.id } };
const deleted: Story = { args: { value: DELETED_ID } };
const failedSelected: Story = { args: { models: failed, value: DEEP.id } };

export const States: Story = showStates(meta, {
  Default: {},
  Selected: selected,
  Empty: { args: { models: ready([]) } },
  Deleted: deleted,
  "A disabled model is shown with its name": {
    args: { value: RETIRED.id },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toHaveDisplayValue("Retired (not available)");
      await expect(picker(canvas)).toHaveAccessibleDescription(/not available any more/);
    },
  },
  Loading: { args: { models: { state: "loading" } } },
  "Loading: the field is disabled, and no model is called unavailable": {
    args: { models: { state: "loading" }, value: DEEP.id },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toBeDisabled();
      await expect(picker(canvas)).toHaveAttribute("aria-busy", "true");
      await expect(picker(canvas)).toHaveDisplayValue("Loading models…");
      await expect(picker(canvas)).toHaveAccessibleDescription("Which model gives the advice.");
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  "Load error": { args: { models: failed } },
  "Load error, selected": failedSelected,
  "With error: it describes the field": {
    args: { value: DEEP.id, error: "Names no model." },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toBeInvalid();
      await expect(picker(canvas)).toHaveAccessibleDescription(
        "Which model gives the advice. Names no model.",
      );
    },
  },
});

export const TestSelect: Story = {
  name: "(Test) Selecting a model calls onChange with its id",
  play: async ({ args, canvas, userEvent }) => {
    await expect(findOptions(canvas)).toEqual(["Use the chat’s model", "Swift", "Deep"]);
    await expect(picker(canvas)).toHaveDisplayValue("Use the chat’s model");
    await expect(picker(canvas)).toHaveAccessibleDescription("Which model gives the advice.");
    await userEvent.selectOptions(picker(canvas), "Deep");
    await expect(args.onChange).toHaveBeenCalledOnce();
    await expect(args.onChange).toHaveBeenCalledWith(DEEP.id);
  },
};

export const TestSelectNone: Story = {
  name: "(Test) Selecting the chat’s model calls onChange with null",
  ...selected,
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue("Deep");
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await expect(args.onChange).toHaveBeenCalledWith(null);
  },
};

export const TestDeleted: Story = {
  name: "(Test) A deleted model stays selected and the hint explains the effect",
  ...deleted,
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue(`${DELETED_ID} (not available)`);
    await expect(picker(canvas)).toHaveAccessibleDescription(/not available any more/);
    await userEvent.selectOptions(picker(canvas), "Swift");
    await expect(args.onChange).toHaveBeenCalledWith(SWIFT.id);
  },
};

export const TestFailed: Story = {
  name: "(Test) After a loading error, the keyboard can load the models again",
  ...failedSelected,
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue(DEEP.id);
    await expect(canvas.getByRole("alert")).toHaveTextContent(
      "The list of models could not be loaded.",
    );
    await userEvent.tab();
    await expect(picker(canvas)).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Load models again" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onReloadModels).toHaveBeenCalledOnce();
  },
};

export const TestFailedSelectNone: Story = {
  name: "(Test) After a loading error, the chat’s model can still be selected",
  ...failedSelected,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await expect(args.onChange).toHaveBeenLastCalledWith(null);
  },
};

/** A long name does not overflow the page. */
export const LongName: Story = {
  args: { models: ready([model(1, "Swift ".repeat(40).trim())]), value: SWIFT.id },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
