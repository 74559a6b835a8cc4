/** The groups of the sidebar that come from folders, in a reviewer's order, and what to look for there. */
export const GROUPS = {
  Chat: "messages, the status line, the header, an empty chat",
  Composer: "writing, sending, stopping, the queue",
  Answering: "the form of a tool that a person answers, one story file for each kind of field",
  Approvals: "calls that wait for a decision, and what is always approved",
  "Tool cards": "what a tool did: one card for each tool, in each of its states",
  Sidebar: "the list of chats and the menu of the account",
  Keyboard: "the palette, the list of shortcuts",
  Settings: "models, the advisor, tools, the appearance",
  Playground: "writing a tool and trying it",
  "API reference": "operations, their fields and commands",
  Account: "the first account, sign-in, the password, sessions, API keys",
  "Building blocks": "buttons, fields, dialogs",
} as const;
type Group = keyof typeof GROUPS;

const GROUP_OF_FOLDER: Readonly<Record<string, Group>> = {
  account: "Account",
  answers: "Answering",
  appearance: "Settings",
  approvals: "Approvals",
  chat: "Chat",
  composer: "Composer",
  docs: "API reference",
  keyboard: "Keyboard",
  mcp: "Settings",
  models: "Settings",
  playground: "Playground",
  questions: "Answering",
  "schema-form": "Answering",
  settings: "Settings",
  sidebar: "Sidebar",
  "tool-cards": "Tool cards",
  ui: "Building blocks",
};

/**
 * Converts the path of a story file to its title: `tool-cards/exec-card` → `Tool cards/ExecCard`.
 *
 * @param path relative to the folder of the stories, without the endings. A title is returned as it is.
 */
export const toStoryTitle = (path: string): string => {
  const [folder = "", file] = path.split("/");
  if (file === undefined) return toPascalCase(folder);
  const group = GROUP_OF_FOLDER[folder];
  return group === undefined ? path : `${group}/${toPascalCase(file)}`;
};

const toPascalCase = (name: string): string =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Stories that assert behavior are named so; a reviewer has nothing to look at there. */
export const isBehaviorTest = (storyName: string): boolean => storyName.startsWith("(Test)");

/** Their tag, by which the sidebar leaves them out until they are chosen in its filter. */
export const BEHAVIOR_TAG = "behavior";
