import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ModelForm from "@/components/models/model-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";
import { ALL_MODELS, LOCAL, OPENAI } from "./model-fixtures";

const meta = {
  component: ModelForm,
  args: {
    model: undefined,
    onCreate: fn(),
    onUpdate: fn(),
    label: "New model",
    problemTitle: "The model was not saved",
    onCancel: fn(),
    isBusy: false,
    problem: undefined,
  },
} satisfies Meta<typeof ModelForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const keyRefused: Story = {
  args: { model: LOCAL, problem: invalid("/api_key", "Enter the key again.") },
};

export const States: Story = showStates(meta, {
  New: {},
  Change: { args: { model: OPENAI } },
  "Local server": { args: { model: LOCAL } },
  "From environment": {
    args: { model: ALL_MODELS.find(({ access }) => access?.key === "environment") },
  },
  Saving: { args: { model: LOCAL, isBusy: true } },
  Failed: { args: { problem: UNAVAILABLE } },
  "Key refused": keyRefused,
  "Price refused": {
    args: { model: OPENAI, problem: invalid("/prices/input", "must not be negative") },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("textbox", { name: "Dollars per million tokens read" }),
      ).toBeVisible();
    },
  },
  Xml: { args: { model: { ...LOCAL, tool_protocol: "xml" } } },
  "The key is hidden, and a stored one is not in the page": {
    args: { model: OPENAI },
    play: async ({ canvas }) => {
      const key = canvas.getByLabelText("API key");
      await expect(key).toHaveAttribute("type", "password");
      await expect(key).toHaveValue("");
      await expect(canvas.getByText("A key is stored. Leave this empty to keep it.")).toBeVisible();
    },
  },
});

export const Narrow: Story = {
  ...keyRefused,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestSubmit: Story = {
  name: "(Test) Enter submits what was entered, once",
  play: async ({ args, canvas, userEvent }) => {
    const model = canvas.getByRole("textbox", { name: "Model" });
    await expect(model).toHaveFocus();
    await userEvent.type(model, "gpt-5-mini{Enter}");
    await expect(args.onCreate).toHaveBeenCalledOnce();
    await expect(args.onCreate).toHaveBeenCalledWith({
      provider: "openai",
      model: "gpt-5-mini",
      enabled: true,
      is_default: true,
    });
  },
};

export const TestProtocol: Story = {
  name: "(Test) The protocol of tool calls can be chosen",
  args: { model: LOCAL },
  play: async ({ args, canvas, userEvent }) => {
    const protocol = canvas.getByRole("combobox", { name: "How it calls tools" });
    await expect(protocol).toHaveDisplayValue("The provider's tool calls");
    await userEvent.selectOptions(protocol, "As text in its answers (XML)");
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith({ model_id: LOCAL.id, tool_protocol: "xml" });
  },
};

export const TestWait: Story = {
  name: "(Test) The time to the first part of an answer is entered in minutes, and emptied",
  args: { model: { ...LOCAL, wait_minutes: 10 } },
  play: async ({ args, canvas, userEvent }) => {
    const minutes = canvas.getByRole("textbox", { name: /^Minutes to wait/ });
    await expect(minutes).toHaveValue("10");
    await userEvent.clear(minutes);
    await userEvent.type(minutes, "60{Enter}");
    await expect(canvas.getByText("Enter a whole number from 1 to 30.")).toBeVisible();
    await expect(args.onUpdate).not.toHaveBeenCalled();
    await userEvent.clear(minutes);
    await userEvent.type(minutes, "{Enter}");
    await expect(args.onUpdate).toHaveBeenCalledWith({ model_id: LOCAL.id, wait_minutes: null });
  },
};

export const TestEnvironment: Story = {
  name: "(Test) A server of the environment is renamed without its address",
  args: {
    model: {
      ...LOCAL,
      access: {
        source: "environment",
        from_environment: true,
        base_url: null,
        key: "environment",
      },
    },
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith({
      model_id: LOCAL.id,
      name: `${LOCAL.name} 2`,
    });
  },
};

export const TestInvalid: Story = {
  name: "(Test) A price without the other one is reported in the opened details",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Model" }), "gpt-5-mini");
    await userEvent.click(canvas.getByText("Context and prices"));
    const read = canvas.getByRole("textbox", { name: "Dollars per million tokens read" });
    await userEvent.type(read, "0.5");
    await userEvent.click(canvas.getByText("Context and prices"));
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onCreate).not.toHaveBeenCalled();
    await expect(canvas.getByText("Enter both prices, or none.")).toBeVisible();
  },
};

export const TestAddressOfEnvironment: Story = {
  name: "(Test) A model of the settings that uses the address of the environment needs none of its own",
  args: {
    model: {
      ...LOCAL,
      access: { source: "settings", from_environment: true, base_url: null, key: "none" },
    },
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith({
      model_id: LOCAL.id,
      name: `${LOCAL.name} 2`,
    });
  },
};

export const TestCancel: Story = {
  name: "(Test) Cancel submits nothing",
  args: { model: LOCAL },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Cancel" }));
    await expect(args.onCancel).toHaveBeenCalledOnce();
    await expect(args.onUpdate).not.toHaveBeenCalled();
  },
};
