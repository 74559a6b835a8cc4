/** Limits of requests, shared so that clients can check them before they send. */

/** Longest text of one text part, in UTF-16 units: about 50 pages, more than people type. */
export const MAX_TEXT_LENGTH = 200_000;
/** Most parts of one user message. */
export const MAX_CONTENT_PARTS = 50;
/** Longest system prompt of a chat, in UTF-16 units. */
export const MAX_SYSTEM_PROMPT_LENGTH = 100_000;
/** Longest chat title, in UTF-16 units. */
export const MAX_TITLE_LENGTH = 200;
/** Most labels of one chat. */
export const MAX_LABELS = 50;
/** Longest key or value of a label, in UTF-16 units. */
export const MAX_LABEL_LENGTH = 100;

/** Most dynamic tools of one chat. Providers reject requests with more. */
export const MAX_DYNAMIC_TOOLS = 250;
/** Largest input or output schema of a dynamic tool, in bytes of its JSON. */
export const MAX_TOOL_SCHEMA_BYTES = 64 * 1024;
/** Deepest nesting of a dynamic tool's schema; functions that recurse over schemas rely on it. */
export const MAX_TOOL_SCHEMA_DEPTH = 32;
/** Deepest nesting of a tool result's output. */
export const MAX_OUTPUT_DEPTH = 128;

/** Most messages in the queue of a chat; one more gets status 429. */
export const MAX_QUEUED_MESSAGES = 20;

/** How long a required action stays open unless the chat sets another time: 24 hours. */
export const DEFAULT_ACTION_TIMEOUT_SECONDS = 24 * 60 * 60;
export const MIN_ACTION_TIMEOUT_SECONDS = 10;
/** 30 days. */
export const MAX_ACTION_TIMEOUT_SECONDS = 30 * 24 * 60 * 60;

/** Most steps of a turn unless the chat sets another number; at the limit the turn ends with a notice. */
export const DEFAULT_MAX_STEPS = 100;
/** Highest step limit that a chat may set. */
export const MAX_STEPS_PER_TURN = 1_000;

/** Shortest password, in UTF-16 units. */
export const MIN_PASSWORD_LENGTH = 8;
/** Longest password, in UTF-16 units; the time of hashing grows with the length. */
export const MAX_PASSWORD_LENGTH = 128;

/** Longest life of an API key that expires: ten years. */
export const MAX_API_KEY_DAYS = 3_650;

/** Most tRPC calls in one request. The page sends up to ten at once when it loads. */
export const MAX_BATCH_CALLS = 20;

/** Largest request body that any endpoint accepts, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Most rows of one page of a list. */
export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;
