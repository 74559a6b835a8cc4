import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { OverrideModelField } from "@/components/settings/override-model-field";
import { DEEP, DELETED_ID, failed, model, MODELS, ready, RETIRED, SWIFT } from "./fixtures";

const meta = {
  component: OverrideModelField,
  args: {
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
const offered = (canvas: Canvas) =>
  within(picker(canvas))
    .getAllByRole("option")
    .map((option) => option.textContent);

export const NoOverride: Story = {};
export const Chosen: Story = { args: { value: DEEP.id } };
export const NoModels: Story = { args: { models: ready([]) } };
export const Deleted: Story = { args: { value: DELETED_ID } };
export const SwitchedOff: Story = { args: { value: RETIRED.id } };
export const Loading: Story = { args: { models: { state: "loading" } } };
export const LoadingChosen: Story = { args: { models: { state: "loading" }, value: DEEP.id } };
export const Failed: Story = { args: { models: failed } };
export const FailedChosen: Story = { args: { models: failed, value: DEEP.id } };
export const Refused: Story = { args: { value: DEEP.id, error: "Names no model." } };
export const LongName: Story = {
  args: { models: ready([model(1, "Swift ".repeat(40).trim())]), value: SWIFT.id },
  globals: { viewport: { value: "mobile1" } },
};

export const TestChoose: Story = {
  name: "(Test) A model that is offered is chosen by its id",
  play: async ({ args, canvas, userEvent }) => {
    await expect(offered(canvas)).toEqual(["Use the chat’s model", "Swift", "Deep"]);
    await expect(picker(canvas)).toHaveDisplayValue("Use the chat’s model");
    await expect(picker(canvas)).toHaveAccessibleDescription("Which model gives the advice.");
    await userEvent.selectOptions(picker(canvas), "Deep");
    await expect(args.onChange).toHaveBeenCalledOnce();
    await expect(args.onChange).toHaveBeenCalledWith(DEEP.id);
  },
};

export const TestChooseNone: Story = {
  name: "(Test) The chat’s own model is chosen by none",
  ...Chosen,
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue("Deep");
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await expect(args.onChange).toHaveBeenCalledWith(null);
  },
};

export const TestDeleted: Story = {
  name: "(Test) A model that is gone stays chosen, and the hint says what that does",
  ...Deleted,
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue(`${DELETED_ID} (not available)`);
    await expect(picker(canvas)).toHaveAccessibleDescription(/not available any more/);
    await userEvent.selectOptions(picker(canvas), "Swift");
    await expect(args.onChange).toHaveBeenCalledWith(SWIFT.id);
  },
};

export const TestSwitchedOff: Story = {
  name: "(Test) A model that is known and switched off has its name",
  ...SwitchedOff,
  play: async ({ canvas }) => {
    await expect(picker(canvas)).toHaveDisplayValue("Retired (not available)");
    await expect(picker(canvas)).toHaveAccessibleDescription(/not available any more/);
  },
};

export const TestLoading: Story = {
  name: "(Test) While the models load, nothing can be chosen, and nothing is called gone",
  ...LoadingChosen,
  play: async ({ canvas }) => {
    await expect(picker(canvas)).toBeDisabled();
    await expect(picker(canvas)).toHaveAttribute("aria-busy", "true");
    await expect(picker(canvas)).toHaveDisplayValue("Loading models…");
    await expect(picker(canvas)).toHaveAccessibleDescription("Which model gives the advice.");
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};

export const TestFailed: Story = {
  name: "(Test) Models that could not be loaded can be asked for again, by keyboard",
  ...FailedChosen,
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

export const TestFailedToNone: Story = {
  name: "(Test) Without the models the chat’s own can still be chosen",
  ...FailedChosen,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await expect(args.onChange).toHaveBeenLastCalledWith(null);
  },
};

export const TestRefused: Story = {
  name: "(Test) What the server refuses is read with the field",
  ...Refused,
  play: async ({ canvas }) => {
    await expect(picker(canvas)).toBeInvalid();
    await expect(picker(canvas)).toHaveAccessibleDescription(
      "Which model gives the advice. Names no model.",
    );
  },
};

export const TestLongName: Story = {
  name: "(Test) A long name stays within the page",
  ...LongName,
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
