import type { Preview } from "@storybook/nextjs-vite";
import "../src/app/globals.css";

const preview: Preview = {
  parameters: {
    nextjs: { appDirectory: true },
    a11y: {
      test: "error",
      // Popups trap the focus with hidden, focusable guard elements, which axe reports as invisible
      // controls.
      context: { exclude: ["[data-base-ui-focus-guard]"] },
    },
  },
  tags: ["autodocs"],
};

export default preview;
