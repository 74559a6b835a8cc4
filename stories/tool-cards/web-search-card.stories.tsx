import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { WebSearchCard } from "@/components/tool-cards/cards/web-search-card";
import type { WebSearchResult } from "@/contract/web";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { opensTo } from "./opens-to";
import { showCallStates } from "./show-call-states";

const found: WebSearchResult = {
  query: "tide tables Dover",
  provider: "brave",
  results: [
    {
      title: "Tide tables of Dover",
      url: "https://www.tides.example/dover",
      snippet: "High water at 06:12 and 18:40, low water at 00:20.",
    },
    { title: "Ports of the Channel", url: "https://ports.example/channel", snippet: "" },
  ],
};

const call = {
  tool_name: "web_search",
  kind: "builtin" as const,
  args: { query: found.query },
  args_text: '{"query":"tide tab',
  output: found,
};

const withOutput = (output: WebSearchResult) => ({
  part: callInState({ ...call, output }, "completed"),
  output,
});

const meta = {
  component: WebSearchCard,
  args: { ...withOutput(found), now: NOW },
} satisfies Meta<typeof WebSearchCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const nothingFound: Story = { args: withOutput({ ...found, results: [] }) };
/** Texts that try to break the layout or to run a script. */
const hostile: Story = {
  args: withOutput({
    ...found,
    results: [
      {
        title: `<script>alert(1)</script>${"W".repeat(200)}`,
        url: "javascript:alert(1)",
        snippet: `${"long-".repeat(200)}`,
      },
    ],
  }),
};
/** The output does not have the fields of this tool. */
const wrongShape: Story = {
  args: { part: { ...callInState(call, "completed"), output: { results: 7 } }, output: undefined },
};

export const States: Story = showStates(meta, {
  Found: {},
  "Nothing found": nothingFound,
  "Streaming: the query is shown already": {
    args: { part: callInState(call, "streaming"), output: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("tide tab")).toBeVisible();
    },
  },
  Failed: {
    args: {
      part: {
        ...callInState(call, "error"),
        output: "The search failed: tavily refused the request or its API key (401).",
      },
      output: undefined,
    },
  },
  Hostile: hostile,
  "Wrong shape": wrongShape,
});

export const TestFound: Story = {
  name: "(Test) The opened card has a link for each result",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /tide tables Dover/ }));
    const link = canvas.getByRole("link", { name: "Tide tables of Dover" });
    await expect(link).toHaveAttribute("href", "https://www.tides.example/dover");
    await expect(canvas.getByText(/High water at 06:12/)).toBeVisible();
    await expect(canvas.getByText("Found by Brave")).toBeVisible();
  },
};

export const TestNothingFound: Story = {
  name: "(Test) A search without results says so",
  ...nothingFound,
  play: opensTo("Nothing was found."),
};

export const TestHostile: Story = {
  name: "(Test) A script is no link, and markup is shown as text",
  ...hostile,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.queryByRole("link")).not.toBeInTheDocument();
    await expect(canvas.getByText(/<script>alert/)).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) An output of another shape is shown as data",
  ...wrongShape,
  play: opensTo(/"results": 7/),
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
