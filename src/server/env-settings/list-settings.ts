import { readSettings } from "./read-settings";
import { createReader, type SettingEntry } from "./setting-reader";

/** Lists all settings of the environment with what operators may read of them; scripts/settings-document.mjs writes it. */
export const listSettings = (): SettingEntry[] => {
  const reader = createReader({});
  readSettings(reader);
  return reader.entries;
};
