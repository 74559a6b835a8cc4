import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { WebFetchCard } from "@/components/tool-cards/cards/web-fetch-card";
import type { JsonObject } from "@/contract/json";
import type { WebFetchResult } from "@/contract/web";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { opensTo } from "./opens-to";
import { showCallStates } from "./show-call-states";

const page: WebFetchResult = {
  url: "https://www.tides.example/depth",
  final_url: "https://www.tides.example/guide/depth",
  status: 200,
  content_type: "text/html; charset=utf-8",
  title: "Depth tables for sailors",
  text: "## At sea\n\nThe tide is highest twice a day.\n\n| Hour | Depth |\n| --- | --- |\n| 6 | 4 m |",
  truncated: false,
};

const call = {
  tool_name: "web_fetch",
  kind: "builtin" as const,
  args: { url: page.url },
  args_text: '{"url":"https://www.tides.example/de',
  output: page as JsonObject,
};

const withOutput = (output: WebFetchResult) => ({
  part: callInState({ ...call, output: output as JsonObject }, "completed"),
  output,
});

const meta = {
  component: WebFetchCard,
  args: { ...withOutput(page), now: NOW },
} satisfies Meta<typeof WebFetchCard>;
export default meta;
type Story = StoryObj<typeof meta>;

/** The address guard has refused the URL. */
const refused: Story = {
  args: {
    part: {
      ...callInState(call, "error"),
      args: { url: "http://169.254.169.254/" },
      output: '"169.254.169.254" has no public address, and tools reach no other ones.',
    },
    output: undefined,
  },
};
const notFound: Story = {
  args: withOutput({ ...page, status: 404, title: "Not found", text: "There is no such page." }),
};
/** A text that goes on; the whole is an artifact. */
const truncated: Story = {
  args: withOutput({ ...page, text: `${"High water. ".repeat(2_000)}`, truncated: true }),
};
/** A title and a URL that try to break the layout or to run a script. */
const hostile: Story = {
  args: withOutput({
    ...page,
    final_url: "javascript:alert(1)",
    title: `<img src=x onerror=alert(1)>${"W".repeat(300)}`,
  }),
};
/** The output does not have the fields of this tool. */
const wrongShape: Story = {
  args: { part: { ...callInState(call, "completed"), output: { url: 7 } }, output: undefined },
};

export const States: Story = showStates(meta, {
  Completed: {},
  Running: { args: { part: callInState(call, "running"), output: undefined } },
  "Streaming: the site is shown already": {
    args: { part: callInState(call, "streaming"), output: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("tides.example")).toBeVisible();
      await expect(canvas.getByText("Preparing")).toBeVisible();
    },
  },
  Failed: refused,
  "Failed, not found": notFound,
  "Completed, cut": truncated,
  "Completed, image": {
    args: withOutput({
      url: "https://tides.example/chart.png",
      final_url: "https://tides.example/chart.png",
      status: 200,
      content_type: "image/png",
      text: "",
      truncated: false,
    }),
  },
  Hostile: hostile,
  "Wrong shape": wrongShape,
});

export const TestPage: Story = {
  name: "(Test) The line shows title and site, the opened card the link and the text",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: /Depth tables for sailors · tides\.example/ }),
    );
    const link = canvas.getByRole("link", { name: "Depth tables for sailors" });
    await expect(link).toHaveAttribute("href", page.final_url);
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect(canvas.getByText(/The tide is highest twice a day/)).toBeVisible();
  },
};

export const TestRefused: Story = {
  name: "(Test) A refused URL shows the reason",
  ...refused,
  play: opensTo(/no public address/),
};

export const TestNotFound: Story = {
  name: "(Test) The status of a failure is shown",
  ...notFound,
  play: opensTo("The site answered with status 404."),
};

export const TestTruncated: Story = {
  name: "(Test) A text that was cut says so",
  ...truncated,
  play: opensTo(/more follows it/),
};

export const TestHostile: Story = {
  name: "(Test) A script is no link, and markup is shown as text",
  ...hostile,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.queryByRole("link")).not.toBeInTheDocument();
    await expect(canvas.queryByRole("img")).not.toBeInTheDocument();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) An output of another shape is shown as data",
  ...wrongShape,
  play: opensTo(/"url": 7/),
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
