import { readEnvironment } from "./read-environment";
import { createReader, type SettingEntry } from "./setting-reader";

/** Lists all settings of the environment with what operators may read of them; scripts/settings-document.mjs writes it. */
export const listEnvironment = (): SettingEntry[] => {
  const reader = createReader({});
  readEnvironment(reader);
  return reader.entries;
};
