import type { Preview } from "@storybook/nextjs-vite";
import "../src/app/globals.css";

const preview: Preview = {
  parameters: {
    nextjs: { appDirectory: true },
    a11y: {
      test: "error",
      // Popups keep the focus by hidden stops before and after them, which send it on at once; axe
      // takes them for controls that nobody can see.
      context: { exclude: ["[data-base-ui-focus-guard]"] },
    },
  },
  tags: ["autodocs"],
};

export default preview;
