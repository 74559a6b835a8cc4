import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ProviderCard } from "@/components/tool-cards/provider-card";
import type { JsonObject, JsonValue } from "@/contract/json";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = (tool_name: string, args: JsonObject, output: JsonValue) => ({
  part: callInState(
    { tool_name, kind: "provider", args, args_text: "", output: output ?? "" },
    "completed",
  ),
});

const pages = [
  {
    type: "web_search_result",
    title: "Tide tables of Dover",
    url: "https://www.tides.example/dover",
  },
  { type: "web_search_result", title: "Ports of the Channel", url: "https://ports.example/a" },
];

const search = call("web_search", { query: "tide tables Dover" }, pages);

const meta = {
  component: ProviderCard,
  args: { ...search, now: NOW },
} satisfies Meta<typeof ProviderCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const hostile: Story = {
  args: call("web_search", { query: "x" }, [
    { title: `<script>alert(1)</script>${"W".repeat(200)}`, url: "javascript:alert(1)" },
    { title: "‮moc.knab", url: "https://tides.example" },
  ]),
};

const failed: Story = {
  args: {
    part: {
      ...callInState({ ...search.part, args_text: "", output: "" }, "error"),
      output: { type: "web_search_tool_result_error", errorCode: "max_uses_exceeded" },
    },
  },
};

export const States: Story = showStates(meta, {
  "Default: a search of Anthropic": {
    play: async ({ canvas, userEvent }) => {
      await userEvent.click(canvas.getByRole("button", { name: /Search the web/ }));
      await expect(canvas.getByText("tide tables Dover")).toBeVisible();
      await expect(canvas.getByRole("link", { name: /Tide tables of Dover/ })).toHaveAttribute(
        "href",
        "https://www.tides.example/dover",
      );
    },
  },
  "A search of OpenAI": {
    args: call(
      "web_search",
      {},
      {
        action: { type: "search", query: "tide tables Dover" },
        sources: [{ type: "url", url: "https://www.tides.example/dover" }],
      },
    ),
  },
  "A search of Google": {
    args: call(
      "server:GOOGLE_SEARCH_WEB",
      { queries: ["tide tables Dover"] },
      {
        search_suggestions: "<div>tides</div>",
      },
    ),
  },
  "Files were searched": {
    args: call(
      "file_search",
      {},
      {
        queries: ["notice period"],
        results: [
          { filename: "contract.pdf", score: 0.9, text: "Three months to the end of a quarter." },
        ],
      },
    ),
  },
  "Code was run": {
    args: call(
      "code_execution",
      { type: "bash_code_execution", command: "python tides.py" },
      { type: "bash_code_execution_result", stdout: "06:12\n18:40", stderr: "", return_code: 0 },
    ),
    play: async ({ canvas, userEvent }) => {
      await userEvent.click(canvas.getByRole("button", { name: /Run code/ }));
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("06:12");
    },
  },
  "Nothing found": { args: call("web_search", { query: "tides" }, []) },
  Failed: failed,
  "The provider runs a tool that is not known": {
    args: call("image_generation", { prompt: "A tide" }, { status: "completed" }),
  },
  Hostile: {
    ...hostile,
    play: async ({ canvas, userEvent }) => {
      await userEvent.click(canvas.getByRole("button", { name: /Search the web/ }));
      await expect(canvas.getAllByRole("link")).toHaveLength(1);
    },
  },
});
