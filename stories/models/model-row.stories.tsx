import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { ModelRow } from "@/components/models/model-row";
import { showStates } from "../show-states";
import { ALL_MODELS, DEMO, LOCAL, OPENAI } from "./model-fixtures";

const meta = {
  component: ModelRow,
  args: {
    item: LOCAL,
    trial: undefined,
    onTry: fn(),
    onEdit: fn(),
    onChange: fn(),
    onDelete: fn(),
  },
  render: (args) => (
    <ul className="rounded-lg border bg-raised">
      <ModelRow {...args} />
    </ul>
  ),
} satisfies Meta<typeof ModelRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const findModel = (name: string) => ALL_MODELS.find((model) => model.name === name) ?? DEMO;

const defaultState: Story = { args: { item: OPENAI } };
const disabled: Story = { args: { item: { ...LOCAL, enabled: false } } };
const testing: Story = { args: { trial: { result: undefined } } };

export const States: Story = showStates(meta, {
  Default: defaultState,
  "Local server": {},
  Disabled: disabled,
  "From environment": { args: { item: findModel("Claude Sonnet 4.5") } },
  "Key missing": { args: { item: findModel("Gemini 2.5 Pro") } },
  "Key unreadable": { args: { item: findModel("GPT-5") } },
  Testing: testing,
  "Test passed": {
    args: { trial: { result: { ok: true, message: "Llama at home answers.", duration_ms: 840 } } },
  },
  "Test failed": {
    args: {
      trial: {
        result: {
          ok: false,
          message: "The OpenAI-compatible server is not reachable.",
          detail: "Cannot connect to API: connect ECONNREFUSED",
          duration_ms: 12,
        },
      },
    },
  },
  "A name that its provider has, too, is not repeated": {
    args: { item: DEMO },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText("Demo demo")).toBeNull();
      await expect(canvas.getAllByText("Demo")).not.toHaveLength(0);
    },
  },
});

export const LongName: Story = {
  args: { item: { ...LOCAL, name: "x".repeat(200) } },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestDefault: Story = {
  name: "(Test) The default model can be neither disabled nor deleted",
  ...defaultState,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for GPT-5 mini" }));
    for (const name of ["Make default", "Disable", "Delete"]) {
      const item = await screen.findByRole("menuitem", { name });
      await expect(item).toHaveAttribute("aria-disabled", "true");
    }
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled model is enabled before it can be the default",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for Llama at home" }));
    const makeDefault = await screen.findByRole("menuitem", { name: "Make default" });
    await expect(makeDefault).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(screen.getByRole("menuitem", { name: "Enable" }));
    await expect(args.onChange).toHaveBeenCalledOnce();
  },
};

export const TestDelete: Story = {
  name: "(Test) A model is deleted only after the question",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for Llama at home" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await screen.findByRole("alertdialog", { name: "Delete “Llama at home”?" });
    await expect(args.onDelete).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Delete model" }));
    await expect(args.onDelete).toHaveBeenCalledOnce();
  },
};

export const TestBusy: Story = {
  name: "(Test) A test that runs is not started again",
  ...testing,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Test Llama at home" }));
    await expect(args.onTry).not.toHaveBeenCalled();
  },
};
