import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import RecipeForm from "@/components/settings/recipe-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "./fixtures";
import { WEATHER_INPUT } from "./recipe-fixtures";

const meta = {
  component: RecipeForm,
  args: {
    recipe: undefined,
    onSubmit: fn(),
    label: "New recipe",
    problemTitle: "The recipe was not saved",
    onCancel: fn(),
    isBusy: false,
    problem: undefined,
  },
} satisfies Meta<typeof RecipeForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const change: Story = { args: { recipe: WEATHER_INPUT } };

export const States: Story = showStates(meta, {
  New: {},
  Change: change,
  Saving: { args: { recipe: WEATHER_INPUT, isBusy: true } },
  Failed: { args: { recipe: WEATHER_INPUT, problem: UNAVAILABLE } },
  "With error, at a value": {
    args: { recipe: WEATHER_INPUT, problem: invalid("/env/unit", "is the name of a parameter") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Values" })).toBeVisible();
    },
  },
});

export const Narrow: Story = {
  ...change,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestUnchanged: Story = {
  name: "(Test) A recipe that is saved without a change stays as it is",
  args: { recipe: { ...WEATHER_INPUT, output: { rejected: "Do not ask again." } } },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      ...WEATHER_INPUT,
      output: { rejected: "Do not ask again." },
      opts: { ...WEATHER_INPUT.opts, workspace: "call" },
    });
  },
};

export const TestNetwork: Story = {
  name: "(Test) Commands get network when that is chosen",
  args: { recipe: WEATHER_INPUT },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("checkbox", { name: "Allow internet access" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    const opts: unknown = expect.objectContaining({ network: true });
    await expect(args.onSubmit).toHaveBeenCalledWith(expect.objectContaining({ opts }));
  },
};

export const TestUnfinishedQuote: Story = {
  name: "(Test) A quote without an end is reported with its line",
  args: { recipe: WEATHER_INPUT },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Commands" }), " 'x");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByText("Line 2 has a quote without an end.")).toBeVisible();
  },
};

export const TestFocus: Story = {
  name: "(Test) A field keeps the focus while another one is refused",
  args: { recipe: WEATHER_INPUT, problem: invalid("/steps/0/1", "has no value for ${town}") },
  play: async ({ canvas, userEvent }) => {
    const description = canvas.getByRole("textbox", { name: "Description" });
    await userEvent.type(description, " now");
    await expect(description).toHaveFocus();
    await expect(description).toHaveValue(`${WEATHER_INPUT.description} now`);
  },
};
