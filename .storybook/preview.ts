import type { Preview } from "@storybook/nextjs-vite";
import "../src/app/globals.css";

const preview: Preview = {
  parameters: { nextjs: { appDirectory: true }, a11y: { test: "error" } },
  tags: ["autodocs"],
};

export default preview;
