// npm run docs:settings: writes docs/settings.md.
import { writeFileSync } from "node:fs";
import { createSettingsDocument, SETTINGS_DOCUMENT } from "./settings-document.mjs";

writeFileSync(SETTINGS_DOCUMENT, await createSettingsDocument());
