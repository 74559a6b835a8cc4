import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { AnswerSettings } from "@/components/composer/answer-settings";
import type { Model } from "@/contract/model";
import { showStates } from "../show-states";

const model = (changed: Partial<Model>): Model => ({
  id: "0197a1f0-0000-7000-8000-000000000001",
  provider: "openai",
  model: "gpt-5",
  name: "GPT-5",
  context_limit: 400_000,
  tool_protocol: "native",
  reasoning_efforts: ["none", "low", "medium", "high"],
  enabled: true,
  is_default: true,
  ...changed,
});

const meta = {
  component: AnswerSettings,
  args: { model: model({}), chosen: {}, onChange: fn() },
} satisfies Meta<typeof AnswerSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

const chosen: Story = { args: { chosen: { reasoning_effort: "high" } } };
const withTools: Story = {
  args: {
    model: model({ provider_tools: ["web_search", "code_execution", "file_search"] }),
    chosen: { reasoning_effort: "high", provider_tools: ["web_search"] },
  },
};

export const States: Story = showStates(meta, {
  Default: {},
  Filled: chosen,
  "The model's own effort is shown": {
    args: { model: model({ reasoning_effort: "low" }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Thinking: low" })).toBeVisible();
    },
  },
  "The nearest is shown of an effort that the model does not have": {
    args: { chosen: { reasoning_effort: "max" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Thinking: high" })).toBeVisible();
    },
  },
  "A model that does not think": {
    args: { model: model({ reasoning_efforts: [] }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Answers" })).toBeVisible();
    },
  },
  "With a tool of the provider": {
    ...withTools,
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("button", { name: "Thinking: high, web search" }),
      ).toBeVisible();
    },
  },
  "With the tools of the provider off": {
    args: { ...withTools.args, chosen: { provider_tools: [] } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Thinking" })).toBeVisible();
    },
  },
  Loading: { args: { model: undefined } },
  Disabled: { args: { ...chosen.args, disabled: true } },
});

export const Open: Story = {
  ...withTools,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Thinking: high, web search" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Answers in this chat" }));
    const efforts = dialog.getAllByRole("radio");
    await expect(efforts.map((radio) => radio.parentElement?.textContent)).toEqual([
      "As it does by itself",
      "Off",
      "Low",
      "Medium",
      "High",
    ]);
    await expect(efforts[4]).toBeChecked();
    const tools = within(dialog.getByRole("group", { name: "Run by OpenAI" }));
    await expect(tools.getByRole("switch", { name: "Web search" })).toBeChecked();
    await expect(tools.getByRole("switch", { name: "File search" })).not.toBeChecked();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Settings are chosen and taken back with the keyboard, and the focus returns",
  args: { ...withTools.args, chosen: { provider_tools: ["code_execution", "file_search"] } },
  play: async ({ args, canvas, userEvent }) => {
    const button = () => canvas.getByRole("button", { name: /^Thinking/ });
    button().focus();
    await userEvent.keyboard("{Enter}");
    const first = await screen.findByRole("radio", { name: "As it does by itself" });
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ reasoning_effort: "low" });
    screen.getByRole("switch", { name: "Web search" }).focus();
    await userEvent.keyboard(" ");
    await expect(args.onChange).toHaveBeenLastCalledWith({ provider_tools: null });
    await userEvent.keyboard("{Tab} ");
    await expect(args.onChange).toHaveBeenLastCalledWith({ provider_tools: ["file_search"] });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(button()).toHaveFocus());
  },
};

export const TestNumbers: Story = {
  name: "(Test) Numbers are saved when their field is left, by Enter, and when it closes",
  args: { chosen: { temperature: 1 } },
  play: async ({ args, canvas, userEvent }) => {
    const open = () => userEvent.click(canvas.getByRole("button", { name: "Thinking" }));
    await open();
    const longest = await screen.findByRole("textbox", { name: "Longest answer, in tokens" });
    await userEvent.type(longest, "3{Tab}");
    await expect(longest).toHaveAccessibleDescription(/whole number of tokens, from 16/);
    await userEvent.clear(longest);
    await userEvent.type(longest, "32,000{Enter}");
    await expect(args.onChange).toHaveBeenCalledOnce();
    await expect(args.onChange).toHaveBeenLastCalledWith({ max_output_tokens: 32_000 });
    const temperature = screen.getByRole("textbox", { name: "Temperature" });
    await expect(temperature).toHaveValue("1");
    await userEvent.clear(temperature);
    await userEvent.type(temperature, "0,7{Escape}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ temperature: 0.7 });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await open();
    const again = await screen.findByRole("textbox", { name: "Temperature" });
    await userEvent.clear(again);
    await userEvent.type(again, "7{Escape}");
    await expect(args.onChange).toHaveBeenCalledTimes(2);
  },
};
