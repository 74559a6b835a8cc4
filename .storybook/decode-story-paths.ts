import type { Plugin } from "vite";

const GUARD = "convertToFilePath(import.meta.url)";
const DECODED_GUARD = "convertToFilePath(decodeURI(import.meta.url))";

/**
 * Creates a plugin for the tests of stories, which comes after Storybook's.
 *
 * Storybook registers the tests of a file if the address of its module contains its path, but decodes only spaces of
 * the address: in a folder with another letter outside ASCII it registers no test.
 */
export const decodeStoryPaths = (): Plugin => ({
  name: "parley:decode-story-paths",
  transform(code, id) {
    if (!/\.stories\.tsx($|\?)/.test(id)) return;
    if (!code.includes(GUARD)) throw new Error(`Storybook has changed what it does to ${id}.`);
    return { code: code.replace(GUARD, DECODED_GUARD), map: null };
  },
});
