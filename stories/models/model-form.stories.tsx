import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import ModelForm from "@/components/models/model-form";
import type { ModelAccess } from "@/contract/model";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";
import { ALL_MODELS, LOCAL, OPENAI, OPENAI_LIST, SERVER_LIST } from "./model-fixtures";

const meta = {
  component: ModelForm,
  args: {
    model: undefined,
    onCreate: fn(),
    onUpdate: fn(),
    onDiscover: fn(() => Promise.resolve(OPENAI_LIST)),
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
  "With error, at the key": keyRefused,
  "With error, at a price": {
    args: { model: OPENAI, problem: invalid("/prices/input", "must not be negative") },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("textbox", { name: "Dollars per million tokens read" }),
      ).toBeVisible();
    },
  },
  "Filled, with choices for answers": {
    args: {
      model: { ...OPENAI, reasoning_effort: "high", max_output_tokens: 32_000, temperature: 0.7 },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("combobox", { name: "Thinking" })).toHaveDisplayValue("High");
    },
  },
  "With tools of the provider": {
    args: {
      model: {
        ...OPENAI,
        provider_tools: ["web_search", "file_search"],
        access: { ...OPENAI.access, file_stores: ["vs_68e1"] } as ModelAccess,
      },
    },
  },
  XML: { args: { model: { ...LOCAL, tool_protocol: "xml" } } },
  "Reads images": { args: { model: { ...LOCAL, reads: "images" } } },
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
    await expect(canvas.getByLabelText("API key")).toHaveFocus();
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

export const TestReads: Story = {
  name: "(Test) What a model reads is chosen, and left to what is known again",
  args: { model: { ...LOCAL, reads: "images" } },
  play: async ({ args, canvas, userEvent }) => {
    const reads = canvas.getByRole("combobox", { name: "What it reads besides text" });
    await expect(reads).toHaveDisplayValue("Images");
    const save = canvas.getByRole("button", { name: "Save and test" });
    await userEvent.selectOptions(reads, "Images and PDFs");
    await userEvent.click(save);
    const sent = { model_id: LOCAL.id, reads: "images_and_pdfs" };
    await expect(args.onUpdate).toHaveBeenLastCalledWith(sent);
    await userEvent.selectOptions(reads, "What is known of it");
    await userEvent.click(save);
    await expect(args.onUpdate).toHaveBeenLastCalledWith({ model_id: LOCAL.id, reads: null });
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

export const TestAnswers: Story = {
  name: "(Test) Thinking, temperature and the longest answer are chosen, and emptied",
  args: { model: { ...LOCAL, reasoning_effort: "low", temperature: 0.2 } },
  play: async ({ args, canvas, userEvent }) => {
    const thinking = canvas.getByRole("combobox", { name: "Thinking" });
    await expect(thinking).toHaveDisplayValue("Low");
    await userEvent.selectOptions(thinking, "As the provider chooses");
    const temperature = canvas.getByRole("textbox", { name: "Temperature" });
    await expect(temperature).toHaveValue("0.2");
    await userEvent.clear(temperature);
    const longest = canvas.getByRole("textbox", { name: "Longest answer, in tokens" });
    await userEvent.type(longest, "5{Enter}");
    await expect(canvas.getByText(/^Enter a whole number of tokens/)).toBeVisible();
    await expect(args.onUpdate).not.toHaveBeenCalled();
    await userEvent.type(longest, "000{Enter}");
    await expect(args.onUpdate).toHaveBeenCalledWith({
      model_id: LOCAL.id,
      reasoning_effort: null,
      temperature: null,
      max_output_tokens: 5_000,
    });
  },
};

export const TestProviderTools: Story = {
  name: "(Test) Tools of the provider are chosen, and a search of files needs a store",
  args: { model: OPENAI },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("checkbox", { name: "Web search" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "File search" }));
    await userEvent.type(
      canvas.getByRole("textbox", { name: /Stores that are searched/ }),
      "vs_1{Enter}vs_2",
    );
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith({
      model_id: OPENAI.id,
      provider_tools: ["web_search", "file_search"],
      file_stores: ["vs_1", "vs_2"],
    });
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

export const TestList: Story = {
  name: "(Test) A model is chosen from the list of its server, by the keyboard",
  args: { onDiscover: fn(() => Promise.resolve(SERVER_LIST)) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.selectOptions(
      canvas.getByRole("combobox", { name: "Provider" }),
      "OpenAI-compatible",
    );
    const address = canvas.getByRole("textbox", { name: "Base URL" });
    await userEvent.type(address, "http://127.0.0.1:11434/v1");
    // To the key, to the model and to its button.
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.tab();
    const button = canvas.getByRole("button", { name: "List models" });
    await expect(button).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDiscover).toHaveBeenCalledWith({
      provider: "openai-compatible",
      base_url: "http://127.0.0.1:11434/v1",
    });
    const list = await screen.findByRole("listbox", { name: "Models" });
    await expect(within(list).getAllByRole("option")).toHaveLength(3);
    const search = screen.getByRole("combobox", { name: "Search models" });
    await waitFor(() => expect(search).toHaveFocus());
    await userEvent.keyboard("qw{Enter}");
    await expect(canvas.getByRole("textbox", { name: "Model" })).toHaveValue("qwen3");
    await waitFor(() => expect(button).toHaveFocus());
    await expect(canvas.getByText(/32.8K tokens of context/)).toBeVisible();
    await expect(canvas.getByRole("textbox", { name: "Context, in tokens" })).toHaveValue("32768");
    await expect(args.onCreate).not.toHaveBeenCalled();
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onCreate).toHaveBeenCalledWith(
      expect.objectContaining({ model: "qwen3", context_limit: 32_768, prices: null }),
    );
  },
};

export const TestKnown: Story = {
  name: "(Test) What is known of a model is filled in with its source, and what a person enters counts",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText("API key"), "sk-key");
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "Ours");
    await userEvent.click(canvas.getByRole("button", { name: "List models" }));
    await userEvent.click(await screen.findByRole("option", { name: /^gpt-5-mini/ }));
    await expect(canvas.getByText(/calls tools · reads images · reasons/)).toHaveTextContent(
      "From the table of 2026-11-27, developers.openai.com.",
    );
    await expect(canvas.getByRole("link")).toHaveAttribute(
      "href",
      "https://developers.openai.com/api/docs/models/gpt-5-mini",
    );
    const context = canvas.getByRole("textbox", { name: "Context, in tokens" });
    await expect(context).toBeVisible();
    await expect(context).toHaveValue("400000");
    const read = canvas.getByRole("textbox", { name: "Dollars per million tokens read" });
    await expect(read).toHaveValue("0.25");
    await userEvent.clear(read);
    await userEvent.type(read, "0.2");
    await userEvent.clear(context);
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onCreate).toHaveBeenCalledWith(
      expect.objectContaining({
        model: "gpt-5-mini",
        name: "Ours",
        context_limit: null,
        prices: { input: 200_000, output: 2_000_000, cache_read: 25_000 },
      }),
    );
  },
};

export const TestOtherModel: Story = {
  name: "(Test) Another model takes the place of a stored one with its own numbers",
  args: { model: { ...OPENAI, model: "gpt-old", context_limit: 8_000 } },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "List models" }));
    await expect(args.onDiscover).toHaveBeenCalledWith({ provider: "openai", model_id: OPENAI.id });
    await userEvent.click(await screen.findByRole("option", { name: /^gpt-5-mini/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith({
      model_id: OPENAI.id,
      model: "gpt-5-mini",
      context_limit: 400_000,
    });
  },
};

export const TestOtherServer: Story = {
  name: "(Test) The list of a server is not that of another one",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "List models" }));
    await userEvent.click(await screen.findByRole("option", { name: /^gpt-5-mini/ }));
    await expect(canvas.getByText(/From the table/)).toBeVisible();
    await waitFor(() => expect(canvas.getByRole("button", { name: "List models" })).toHaveFocus());
    await userEvent.type(canvas.getByRole("textbox", { name: "Base URL" }), "http://127.0.0.1:9");
    await expect(canvas.queryByText(/From the table/)).toBeNull();
    await expect(canvas.getByRole("textbox", { name: "Context, in tokens" })).toHaveValue("");
  },
};
