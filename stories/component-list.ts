/** Components without stories of their own, and where a reviewer sees them. A test knows all others have some. */
export const WITHOUT_STORIES = {
  "answers/time-of-day": "ClaimedCalls and AbsentPrograms say since when with it.",
  "chat/context-details": "ContextRing loads it for its details; its stories open them.",
  "chat/open-regenerate-menu": "RegenerateMenu loads it when it opens, and its stories open it.",
  "composer/attachments": "Composer has it in its states with files; its parts have stories.",
  "composer/open-model-picker": "ModelPicker loads it when it opens, and its stories open it.",
  "composer/open-answer-settings":
    "AnswerSettings loads it when it opens, and its stories open it.",
  "models/model-facts": "ModelNameField has it for a chosen model.",
  "models/provider-tool-fields": "ModelForm has them for the providers that run tools.",
  "schema-form/schema-time-field": "SchemaTextField has the dates and times in each state.",
  "settings/declared-list": "The pages of groups and agent types are lists of this kind.",
  "settings/setting-page": "AdvisorSettings is its only page, with each state of it.",
  "settings/tool-filter": "ToolModes has it above its list, also when nothing is found.",
  "sidebar/chat-menu-items": "Creates the items of the menus of ChatRow and ChatMenu.",
  "sidebar/open-user-menu": "UserMenu loads it when it opens.",
  "tool-cards/with-output": "Adds the output to a card; the cards have states for a wrong one.",
  "ui/main-area": "A frame without an appearance; the pages have it.",
  "ui/markdown-elements": "A function of MarkdownRenderer, whose stories have all elements.",
  "ui/lightbox": "ImageLink opens it, and its stories act in it.",
  "ui/open-drawer": "Drawer loads it when it opens.",
  "ui/menu-icon": "Menu and Palette show it.",
  "ui/open-menu": "Menu loads it when it opens.",
  "ui/open-popover": "Popover loads it when it opens.",
  "ui/popup-trigger": "The button of Menu and Popover before they open.",
  "ui/search-popup": "ModelPicker and ModelNameField open it in their stories.",
  "ui/tooltip-popup": "Tooltip loads it when it is shown.",
  "ui/use-confirm": "A hook; ConfirmDialog is what it shows.",
} as const;

/** The main parts of the rooms, which have a do and don't as the building blocks have. */
export const RULED_COMPONENTS = [
  "answers/required-action-form",
  "approvals/approval-request",
  "chat/message-list",
  "chat/status-line",
  "composer/composer",
  "composer/queue-list",
  "questions/question-wizard",
  "sidebar/chat-list",
  "tool-cards/tool-card",
] as const;
