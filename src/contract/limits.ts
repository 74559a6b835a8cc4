/** Limits of requests, shared so that clients can check them before they send. */

/** Longest text of one text part, in UTF-16 units: about 50 pages, more than people type. */
export const MAX_TEXT_LENGTH = 200_000;
/** Most parts of one user message. */
export const MAX_CONTENT_PARTS = 50;
/** Most of them that are files. */
export const MAX_MESSAGE_FILES = 20;
/** Longest texts of one message together, in UTF-16 units. */
export const MAX_CONTENT_LENGTH = 1024 * 1024;
/** Longest text of one part of an answer that a client gives, in UTF-16 units: longer than models write. */
export const MAX_ANSWER_TEXT_LENGTH = 1024 * 1024;
/** Most parts of one answer that a client gives; a step has fewer. */
export const MAX_ANSWER_PARTS = 500;
/** Most messages of a history that a chat begins with. */
export const MAX_HISTORY_MESSAGES = 2_000;
/** Most parts of them together: each is a row, and is checked while other requests wait. */
export const MAX_HISTORY_PARTS = 10_000;
/** Largest body with a history, in bytes. */
export const MAX_HISTORY_BODY_BYTES = 8 * 1024 * 1024;
/** Longest system prompt of a chat, in UTF-16 units. */
export const MAX_SYSTEM_PROMPT_LENGTH = 100_000;
/** Longest prompt of a group or an agent type, in UTF-16 units: it is in each model call of a chat that has it. */
export const MAX_DECLARED_PROMPT_LENGTH = 20_000;
/** Most agent types: a tool describes all of them to the model, in each call. */
export const MAX_AGENT_TYPES = 20;
/** Longest description of an agent type, in UTF-16 units, for the same reason. */
export const MAX_AGENT_TYPE_DESCRIPTION_LENGTH = 500;
/** Longest "provider/model" of a request, in UTF-16 units. */
export const MAX_MODEL_REF_LENGTH = 300;
/** Longest id that a client gives a chat of its own, in UTF-16 units. */
export const MAX_EXTERNAL_ID_LENGTH = 200;
/** Longest chat title, in UTF-16 units. */
export const MAX_TITLE_LENGTH = 200;
/** Most texts that one user begins chats with: the page of a new chat shows them all. */
export const MAX_STARTING_TEXTS = 20;
/** Longest of them, in UTF-16 units. */
export const MAX_STARTING_TEXT_LENGTH = 4_000;
/** Longest text that chats or messages are searched for, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 200;
/** Most labels of one chat. */
export const MAX_LABELS = 50;
/** Longest key or value of a label, in UTF-16 units. */
export const MAX_LABEL_LENGTH = 100;

/** Names in the list of tools that a chat may use; a server has fewer tools. */
export const MAX_CHOSEN_TOOLS = 250;
/** Most dynamic tools of one chat. Providers reject requests with more. */
export const MAX_DYNAMIC_TOOLS = 250;
/** Largest input or output schema of a dynamic tool, in bytes of its JSON. */
export const MAX_TOOL_SCHEMA_BYTES = 64 * 1024;
/** Deepest nesting of a dynamic tool's schema; functions that recurse over schemas rely on it. */
export const MAX_TOOL_SCHEMA_DEPTH = 32;
/** Deepest nesting of a tool result's output. */
export const MAX_OUTPUT_DEPTH = 128;

/** Most tool calls of one answer that are run or offered; more than a model needs, and than people can answer. */
export const MAX_CALLS_PER_STEP = 128;

/** Most messages in the queue of a chat; one more gets status 429. */
export const MAX_QUEUED_MESSAGES = 20;

/** Most alternatives that a chat keeps of what edits and regenerated answers have replaced: each page of its messages names them. */
export const MAX_ALTERNATIVES = 100;

/** Maximum number of tasks of a chat at a time: each takes memory in its process, and a row that is sent to clients. */
export const MAX_RUNNING_TASKS = 50;

/** Turns in a row that the reports of tasks may begin; then the chat rests until a person writes. */
export const MAX_REPORT_TURNS = 10;

/** How long a required action stays open unless the chat sets another time: 24 hours. */
export const DEFAULT_ACTION_TIMEOUT_SECONDS = 24 * 60 * 60;
export const MIN_ACTION_TIMEOUT_SECONDS = 10;
/** 30 days. */
export const MAX_ACTION_TIMEOUT_SECONDS = 30 * 24 * 60 * 60;

/** Most runs of a repeatable call of a dynamic tool. */
export const MAX_CALL_ATTEMPTS = 100;
/** Runs of such a call unless its tool says how many. */
export const DEFAULT_CALL_ATTEMPTS = 3;
/** Longest name that a program gives itself, in UTF-16 units. */
export const MAX_HOLDER_LENGTH = 100;
/** How long a program holds a call that it has claimed, unless it says otherwise. */
export const DEFAULT_LEASE_SECONDS = 60;
export const MIN_LEASE_SECONDS = 10;
export const MAX_LEASE_SECONDS = 60 * 60;
/** Most calls that one request claims. */
export const MAX_CLAIMED_CALLS = 50;
/** Longest text of what a program says of its progress, in UTF-16 units. */
export const MAX_PROGRESS_LENGTH = 500;

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
export const MAX_API_KEY_SECONDS = MAX_API_KEY_DAYS * 24 * 60 * 60;

/** Most tRPC calls in one request. The page sends up to ten at once when it loads. */
export const MAX_BATCH_CALLS = 20;

/** Warnings of one chat: people read them, and every event of the chat has them. */
export const MAX_WARNINGS = 50;

/** Largest request body in bytes, except for tool results and histories. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Longest output of a tool result, in UTF-16 units of its JSON. */
export const MAX_OUTPUT_LENGTH = 1024 * 1024;
/** Largest file of a chat or of its workspace, in bytes: it is held in memory while it is read or stored. */
export const MAX_ARTIFACT_BYTES = 16 * 1024 * 1024;
/** Most bytes of an image as a model gets it, made smaller: 24 of them are 20 MB in base64. */
export const MAX_SHOWN_IMAGE_BYTES = 600_000;
/** A larger PDF is given as its text: providers limit requests, and the pages of a document. */
export const MAX_SHOWN_PDF_BYTES = 8_000_000;
/** Most bytes of the images and PDFs of messages in one request: in base64, with the results of tools, they are below 32 MB. */
export const MAX_SHOWN_FILE_BYTES = 16_000_000;
/** What stays of them when they would be more, so that most messages with files change nothing of the request before. */
export const KEPT_SHOWN_FILE_BYTES = 8_000_000;
/** Bytes of all files of one chat; as many as its workspace may have. */
export const MAX_CHAT_ARTIFACT_BYTES = 256 * 1024 * 1024;
/** How long a file is kept that no message has: as long as a draft that is continued after a weekend. */
export const UNSENT_FILE_DAYS = 7;
/** Bytes of all files of one owner's chats, as the database and its backups hold them. */
export const MAX_OWNER_ARTIFACT_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * Longest result of a tool, in bytes: for the person, as data, and for a model whose context is not known. A
 * longer one is cut. A client may post longer ones.
 */
export const MAX_RESULT_BYTES = 64 * 1024;
/** Largest body with tool results, in bytes: all calls that one answer can have, with all that the model reads. */
export const MAX_RESULTS_BODY_BYTES = MAX_CALLS_PER_STEP * MAX_RESULT_BYTES;

/**
 * Most bytes of one page of messages: the JSON of its parts in the database. A message that is larger is a page
 * of its own.
 */
export const MAX_MESSAGE_PAGE_BYTES = 4 * 1024 * 1024;
/** Most open streams of one API key, or of one session, in a process; one more gets status 429. */
export const MAX_STREAMS_PER_CREDENTIAL = 100;
/** Most requests of one API key, or of one session, that wait in a process: of all copies of a program, which may share a key. */
export const MAX_LONG_POLLS_PER_CREDENTIAL = 1_000;
/** Longest wait of a request in seconds. Proxies commonly give up after 60. */
export const MAX_WAIT_SECONDS = 30;

/** Most rows of one page of a list. */
export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;

/** What the agents of one root chat may use. The environment of the server can change it. */
export type AgentLimits = {
  /** Most that run at a time; more are queued. */
  running: number;
  /** Most that the chat has. */
  perChat: number;
  /** Most that one turn starts. */
  perTurn: number;
  /** How long one works at a time. */
  turnMinutes: number;
  /** What all of them may cost, in millionths; null without a limit. */
  costMicros: number | null;
};
export const DEFAULT_AGENT_LIMITS: AgentLimits = {
  running: 5,
  perChat: 50,
  perTurn: 20,
  turnMinutes: 30,
  costMicros: null,
};
/** Most agents of a root chat that a server can allow: the page of the chat has a card for each. */
export const MAX_AGENTS = 500;
/** How long an answer of a model is waited for until its first event, in minutes: small machines load a model for that long. */
export const DEFAULT_WAIT_MINUTES = 5;
/** A step ends after that time with all its tries. */
export const MAX_WAIT_MINUTES = 30;
/** Least tokens of an answer that a limit may leave: OpenAI takes no lower one. */
export const MIN_OUTPUT_TOKENS = 16;
/** Above the longest answer of any model, so that a number with too many digits is noticed. */
export const MAX_OUTPUT_TOKENS = 1_000_000;
/** Highest temperature that any provider takes; for those that take less it is lowered. */
export const MAX_TEMPERATURE = 2;
/** From which share of its context on a chat is summed up, in percent: an answer and its results still find room. */
export const DEFAULT_COMPACT_AT = 80;
/** The least share; below it, a chat would be summed up again and again. At 100 percent it is not. */
export const MIN_COMPACT_AT = 20;
/** Longest wish of a person for a summary, in UTF-16 units. */
export const MAX_COMPACT_INSTRUCTIONS_LENGTH = 2_000;
/** Most agents that one call lists. */
export const MAX_LISTED_AGENTS = 50;
/** Longest message to an agent, in UTF-16 units. */
export const MAX_AGENT_PROMPT_LENGTH = 100_000;
/** Longest wait for agents, in seconds. */
export const MAX_AGENT_WAIT_SECONDS = 60 * 60;
export const DEFAULT_AGENT_WAIT_SECONDS = 300;
/** Most agents that one call waits for. */
export const MAX_AWAITED_AGENTS = 20;
