/** Limits that a client can run into, so both sides know them before a request is sent. */

/** Longest text of one text part, in UTF-16 units: some 50 pages, above what a person types. */
export const MAX_TEXT_LENGTH = 200_000;
/** Parts of one user message. */
export const MAX_CONTENT_PARTS = 50;
/** Longest system prompt of a chat, in UTF-16 units. */
export const MAX_SYSTEM_PROMPT_LENGTH = 100_000;
/** Longest chat title, in UTF-16 units. */
export const MAX_TITLE_LENGTH = 200;
/** Labels of one chat. */
export const MAX_LABELS = 50;
/** Longest key or value of a label, in UTF-16 units. */
export const MAX_LABEL_LENGTH = 100;

/** Dynamic tools of one chat: providers refuse more tools than about this. */
export const MAX_DYNAMIC_TOOLS = 250;
/** Each of a dynamic tool's two schemas, in bytes of its JSON. */
export const MAX_TOOL_SCHEMA_BYTES = 64 * 1024;
/** Nesting of a dynamic tool's schema; walkers of both sides recurse to at most this depth. */
export const MAX_TOOL_SCHEMA_DEPTH = 32;
/** Nesting of a tool result's output. */
export const MAX_OUTPUT_DEPTH = 128;

/** Messages that may wait in one chat's queue; more is 429. */
export const MAX_QUEUED_MESSAGES = 20;

/** How long a required action stays open unless the chat says otherwise: a day. */
export const DEFAULT_ACTION_TIMEOUT_SECONDS = 24 * 60 * 60;
export const MIN_ACTION_TIMEOUT_SECONDS = 10;
/** 30 days. */
export const MAX_ACTION_TIMEOUT_SECONDS = 30 * 24 * 60 * 60;

/** Steps of one turn unless the chat says otherwise; reaching it ends the turn with a notice. */
export const DEFAULT_MAX_STEPS = 100;
export const MAX_STEPS_LIMIT = 1_000;

/** Of a password, in characters. */
export const MIN_PASSWORD_LENGTH = 8;
/** Hashing costs time in proportion. */
export const MAX_PASSWORD_LENGTH = 128;

/** Largest request body that any endpoint reads, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Rows of one page of a list. */
export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;
