import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, within } from "storybook/test";
import { AdvisorSettings } from "@/components/settings/advisor-settings";
import type { AdvisorConfig } from "@/contract/advisor";
import type { Problem } from "@/contract/problem";
import { showStates } from "../show-states";
import { DEEP, DELETED_ID, failed, MODELS, ready, SWIFT } from "./fixtures";

const OFF: AdvisorConfig = {
  enabled: false,
  max_uses_per_run: 3,
  max_output_tokens: 0,
  model_id: null,
};
const ON: AdvisorConfig = { ...OFF, enabled: true };
const CUSTOM: AdvisorConfig = {
  enabled: true,
  max_uses_per_run: 7,
  max_output_tokens: 2_048,
  model_id: DEEP.id,
};
const WITH_DELETED: AdvisorConfig = { ...ON, model_id: DELETED_ID };

const saveProblem: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server is restarting. Try again in a moment.",
  code: "unavailable",
  request_id: "req_1",
};
const modelProblem: Problem = {
  ...saveProblem,
  title: "Invalid request",
  status: 400,
  detail: "There is no such model.",
  code: "invalid",
  errors: [{ pointer: "/model_id", message: "names no model" }],
};

const meta = {
  component: AdvisorSettings,
  args: {
    config: ready(ON),
    models: ready(MODELS),
    onReload: fn(),
    onReloadModels: fn(),
    onSave: fn(),
    isSaving: false,
    isSaved: false,
    problem: undefined,
  },
} satisfies Meta<typeof AdvisorSettings>;
export default meta;
type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story["play"]>>[0];
type Canvas = Context["canvas"];

const offer = (canvas: Canvas) => canvas.getByRole("switch", { name: "Offer the advisor" });
const uses = (canvas: Canvas) => canvas.getByRole("textbox", { name: "Uses per turn" });
const tokens = (canvas: Canvas) =>
  canvas.getByRole("textbox", { name: "Output tokens per advice" });
const picker = (canvas: Canvas) => canvas.getByRole("combobox", { name: "Model" });
const save = (canvas: Canvas) => canvas.getByRole("button", { name: "Save" });
const findOptions = (canvas: Canvas) =>
  within(picker(canvas))
    .getAllByRole("option")
    .map((option) => option.textContent);

const rewrite = async (userEvent: Context["userEvent"], field: HTMLElement, text: string) => {
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const expectSaved = async ({ onSave }: Story["args"] & object, config: AdvisorConfig) => {
  await expect(onSave).toHaveBeenCalledOnce();
  await expect(onSave).toHaveBeenCalledWith(config);
};

export const Default: Story = {
  args: { config: ready(OFF) },
  play: async ({ args, canvas, userEvent }) => {
    await expect(offer(canvas)).not.toBeChecked();
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await expect(canvas.queryByRole("combobox")).toBeNull();
    await expect(save(canvas)).toBeDisabled();
    await userEvent.click(offer(canvas));
    await expect(uses(canvas)).toHaveValue("3");
    await expect(tokens(canvas)).toHaveValue("0");
    await expect(picker(canvas)).toHaveDisplayValue("Use the chat’s model");
    await userEvent.click(save(canvas));
    await expectSaved(args, ON);
  },
};

export const Enabled: Story = {
  play: async ({ args, canvas, userEvent }) => {
    await expect(findOptions(canvas)).toEqual(["Use the chat’s model", "Swift", "Deep"]);
    await expect(save(canvas)).toBeDisabled();
    await rewrite(userEvent, uses(canvas), "5");
    await rewrite(userEvent, tokens(canvas), "1024");
    await userEvent.selectOptions(picker(canvas), "Swift");
    await expect(save(canvas)).toBeEnabled();
    await userEvent.click(save(canvas));
    await expectSaved(args, {
      enabled: true,
      max_uses_per_run: 5,
      max_output_tokens: 1_024,
      model_id: SWIFT.id,
    });
  },
};

export const SaveWithUseChatModel: Story = {
  play: async ({ args, canvas, userEvent }) => {
    await rewrite(userEvent, uses(canvas), "0{Enter}");
    await expectSaved(args, {
      ...ON,
      max_uses_per_run: 0,
      model_id: null,
    });
  },
};

/** Selecting a model and then none again leaves nothing to save. */
export const NullRoundTrip: Story = {
  play: async ({ canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue("Use the chat’s model");
    await userEvent.selectOptions(picker(canvas), "Deep");
    await expect(save(canvas)).toBeEnabled();
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await expect(save(canvas)).toBeDisabled();
  },
};

export const States: Story = showStates(meta, {
  Filled: {
    args: { config: ready(CUSTOM) },
    play: async ({ canvas }) => {
      await expect(offer(canvas)).toBeChecked();
      await expect(uses(canvas)).toHaveValue("7");
      await expect(tokens(canvas)).toHaveValue("2048");
      await expect(picker(canvas)).toHaveDisplayValue("Deep");
      await expect(save(canvas)).toBeDisabled();
    },
  },
  Loading: {
    args: { config: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Loading settings…");
      await expect(canvas.queryByRole("switch")).toBeNull();
    },
  },
  Refreshing: {
    args: { config: { ...ready(CUSTOM), isRefreshing: true } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Refreshing…");
      await expect(uses(canvas)).toHaveValue("7");
      await expect(uses(canvas)).toBeEnabled();
    },
  },
  "Loading models": {
    args: { config: ready(CUSTOM), models: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toBeDisabled();
      await expect(picker(canvas)).toHaveDisplayValue("Loading models…");
      await expect(uses(canvas)).toBeEnabled();
    },
  },
  "Models error unset": {
    args: { models: failed },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toHaveDisplayValue("Use the chat’s model");
      await expect(findOptions(canvas)).toEqual(["Use the chat’s model"]);
      await expect(canvas.getByRole("alert")).toHaveTextContent("could not be loaded");
    },
  },
  "Save error": {
    args: { problem: saveProblem },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("The settings were not saved");
      await expect(canvas.getByRole("alert")).toHaveTextContent("The server is restarting.");
    },
  },
});

export const UnavailableSelectedModel: Story = {
  args: { config: ready(WITH_DELETED) },
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue(`${DELETED_ID} (not available)`);
    await expect(picker(canvas)).toHaveAccessibleDescription(/not available any more/);
    await rewrite(userEvent, uses(canvas), "4{Enter}");
    await expectSaved(args, {
      ...WITH_DELETED,
      max_uses_per_run: 4,
    });
  },
};

export const ModelsError: Story = {
  args: { config: ready(CUSTOM), models: failed },
  play: async ({ args, canvas, userEvent }) => {
    await expect(picker(canvas)).toHaveDisplayValue(DEEP.id);
    await expect(picker(canvas)).toHaveAccessibleDescription(
      /The list of models could not be loaded\./,
    );
    await userEvent.click(canvas.getByRole("button", { name: "Load models again" }));
    await expect(args.onReloadModels).toHaveBeenCalledOnce();
    await rewrite(userEvent, uses(canvas), "8{Enter}");
    await expectSaved(args, { ...CUSTOM, max_uses_per_run: 8 });
  },
};

export const LoadError: Story = {
  args: { config: failed },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent("The settings could not be loaded");
    await expect(canvas.getByRole("alert")).toHaveTextContent("The server cannot be reached.");
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const Saving: Story = {
  args: { config: ready(CUSTOM), isSaving: true },
  play: async ({ args, canvas, userEvent }) => {
    await expect(save(canvas)).toHaveAttribute("aria-busy", "true");
    await userEvent.type(uses(canvas), "0{Enter}");
    await expect(args.onSave).not.toHaveBeenCalled();
  },
};

export const Saved: Story = {
  args: { config: ready(CUSTOM), isSaved: true },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("Saved");
    await userEvent.type(uses(canvas), "0");
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
  },
};

/** The server's error for a field is shown at the field until it is edited. */
export const SaveErrorDetail: Story = {
  args: { config: ready(ON), problem: modelProblem },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText("There is no such model.")).toBeVisible();
    await expect(picker(canvas)).toHaveAccessibleDescription(/Names no model\.$/);
    await expect(picker(canvas)).toHaveFocus();
    await userEvent.selectOptions(picker(canvas), "Swift");
    await userEvent.click(save(canvas));
    await expectSaved(args, { ...ON, model_id: SWIFT.id });
    await expect(picker(canvas)).not.toHaveAccessibleDescription(/Names no model/);
  },
};

export const DeselectModelBackToUseChatModel: Story = {
  args: { config: ready(CUSTOM) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.selectOptions(picker(canvas), "Use the chat’s model");
    await userEvent.click(save(canvas));
    await expectSaved(args, { ...CUSTOM, model_id: null });
  },
};

/** Turning the advisor off also clears an unavailable model. */
export const DisableAdvisorWithDeletedModel: Story = {
  args: { config: ready(WITH_DELETED) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(offer(canvas));
    await userEvent.click(save(canvas));
    await expectSaved(args, OFF);
  },
};

/** While models load, the model may still be available and is not cleared. */
export const DisableAdvisorWhileModelsLoading: Story = {
  args: { config: ready(WITH_DELETED), models: { state: "loading" } },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(offer(canvas));
    await userEvent.click(save(canvas));
    await expectSaved(args, { ...OFF, model_id: DELETED_ID });
  },
};

export const DisableAdvisorWhileModelsError: Story = {
  ...DisableAdvisorWhileModelsLoading,
  args: { config: ready(WITH_DELETED), models: failed },
};

/** A negative number, which only an API client can set, turns the advisor off. */
export const NegativeUses: Story = {
  args: { config: ready({ ...ON, max_uses_per_run: -1 }) },
  play: async ({ args, canvas, userEvent }) => {
    await expect(uses(canvas)).toHaveAccessibleDescription(
      "With a negative number the advisor is never offered.",
    );
    await userEvent.selectOptions(picker(canvas), "Deep");
    await userEvent.click(save(canvas));
    await expectSaved(args, {
      ...ON,
      max_uses_per_run: -1,
      model_id: DEEP.id,
    });
  },
};

export const Narrow: Story = {
  args: { config: ready(WITH_DELETED), problem: saveProblem },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(window.innerWidth).toBe(320);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Dark: Story = {
  args: { config: ready(CUSTOM), problem: modelProblem },
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <AdvisorSettings {...args} />
    </div>
  ),
};

export const TestInvalidNumbers: Story = {
  name: "(Test) An invalid number is rejected at its field",
  play: async ({ args, canvas, userEvent }) => {
    for (const text of ["-2", "2.5", "many", "1001"]) {
      await rewrite(userEvent, uses(canvas), `${text}{Enter}`);
      await expect(uses(canvas)).toHaveAccessibleDescription(
        /Enter a whole number from 0 to 1,000\.$/,
      );
      await expect(uses(canvas)).toHaveFocus();
    }
    await rewrite(userEvent, tokens(canvas), "128001{Enter}");
    await expect(tokens(canvas)).toHaveAccessibleDescription(
      /Enter a whole number from 0 to 128,000\.$/,
    );
    await expect(args.onSave).not.toHaveBeenCalled();
  },
};

export const TestInvalidHiddenField: Story = {
  name: "(Test) An invalid hidden field does not block turning the advisor off",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.clear(uses(canvas));
    await userEvent.click(offer(canvas));
    await userEvent.click(save(canvas));
    await expectSaved(args, OFF);
  },
};

/** Stores what is saved, as the server does; a button simulates a change by another administrator. */
const WithServer = (args: ComponentProps<typeof AdvisorSettings>) => {
  const [config, setConfig] = useState(ready(ON));
  return (
    <>
      <AdvisorSettings {...args} config={config} onSave={(next) => setConfig(ready(next))} />
      <button type="button" onClick={() => setConfig(ready({ ...CUSTOM, max_uses_per_run: 9 }))}>
        Change elsewhere
      </button>
    </>
  );
};

export const TestSavedElsewhere: Story = {
  name: "(Test) Changes from elsewhere are shown and unsaved edits are preserved",
  render: (args) => <WithServer {...args} />,
  play: async ({ canvas, userEvent }) => {
    await rewrite(userEvent, uses(canvas), "5{Enter}");
    await expect(save(canvas)).toBeDisabled();
    await rewrite(userEvent, tokens(canvas), "77");
    await userEvent.click(canvas.getByRole("button", { name: "Change elsewhere" }));
    await expect(uses(canvas)).toHaveValue("9");
    await expect(tokens(canvas)).toHaveValue("77");
    await expect(save(canvas)).toBeEnabled();
  },
};
