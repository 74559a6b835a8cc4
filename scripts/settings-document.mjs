import { join } from "node:path";
import { runnerImport } from "vite";

const root = join(import.meta.dirname, "..");

/** The path of the document. */
export const SETTINGS_DOCUMENT = join(root, "docs/settings.md");

const HEAD = `# Settings

All settings are variables of the environment. They are read once at the start, also from a file \`.env\` in Parley's folder; a value that is invalid stops the
start with a sentence that says what to do.

\`npm run docs:settings\` writes this page from \`src/server/env-settings/read-environment.ts\`.
`;

const toLine = ({ name, about, values, fallback }) =>
  [
    `- **\`${name}\`** ${about}`,
    values && `${values[0].toUpperCase()}${values.slice(1)}.`,
    fallback !== null && `Default: \`${fallback}\`.`,
  ]
    .filter(Boolean)
    .join(" ");

/** @returns the text of docs/settings.md, made from those of src/server/env-settings/read-environment.ts. */
export const createSettingsDocument = async () => {
  const { module } = await runnerImport(join(root, "src/server/env-settings/list-environment.ts"), {
    root,
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "@": join(root, "src") } },
  });
  const settings = module.listEnvironment();
  const sections = [...new Set(settings.map(({ section }) => section))].map((section) => {
    const lines = settings.filter((setting) => setting.section === section).map(toLine);
    return `## ${section}\n\n${lines.join("\n")}\n`;
  });
  return [HEAD, ...sections].join("\n");
};
