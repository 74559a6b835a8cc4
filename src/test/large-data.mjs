/** @typedef {(sql: string, values: unknown[]) => Promise<unknown>} Query */

/** The size at which the limits of lists, searches and streams are measured. */
const LARGE_SIZE = { chats: 20_000, messages: 500_000, longestChat: 5_000 };

/** Rows of one INSERT: enough to make its cost per row small, little enough to keep memory low. */
const BATCH = 2_000;
const VOCABULARY = 20_000;
/** Words of a question and of an answer; in bytes about 60 and 450. */
const WORDS = { user: 9, assistant: 70 };
/** Every so many messages one has a word that no other message has, `unique<number>`. */
const UNIQUE_EVERY = 100;
/** The first chat was changed at this time, each later one a minute after it. */
const START_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;

/** A generator of the same numbers in each run, from 0 to 1. */
const createRandom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const SYLLABLES = "an ter ing con ra ti lo ve sta men pro de qui sol fer nu mar che bri ol".split(
  " ",
);

/** Words of two to four syllables; the first are the most frequent, as in a language. */
const createVocabulary = () => {
  const random = createRandom(1);
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  const words = new Set();
  while (words.size < VOCABULARY) {
    words.add(Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join(""));
  }
  return [...words];
};

const toHex = (number, length) => number.toString(16).padStart(length, "0");
/** A UUID of version 7 from a time and a number that is unique. */
const toId = (timeMs, number) => {
  const time = toHex(timeMs, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${toHex(number, 12)}`;
};

const INSERT_CHATS = `INSERT INTO chat (id, root_chat_id, turn_id, owner_id, status, version, history_version,
    last_seq, title, titled, action_timeout_seconds, max_steps, created_at, updated_at)
  SELECT id, id, id, $1, 'waiting', last_seq, last_seq, last_seq, title, true, 86400, 100, time, time
  FROM unnest($2::uuid[], $3::int[], $4::text[], $5::timestamptz[]) AS c (id, last_seq, title, time)`;
const INSERT_MESSAGES = `WITH m AS (
    INSERT INTO message (id, chat_id, turn_id, seq, revision, role)
    SELECT id, chat_id, chat_id, seq, seq, CASE WHEN seq % 2 = 1 THEN 'user' ELSE 'assistant' END::message_role
    FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS m (id, chat_id, seq))
  INSERT INTO part (message_id, index, type, text)
  SELECT id, 0, 'text', text FROM unnest($1::uuid[], $4::text[]) AS p (id, text)`;

/**
 * Fills a migrated database with chats of one user, all waiting. The chat in the middle is the longest.
 *
 * @param {Query} query
 * @param {string} userId
 * @returns {Promise<{ vocabulary: string[], longestChatId: string }>} the words, most frequent first
 */
export const fillLargeData = async (query, userId, size = LARGE_SIZE) => {
  const random = createRandom(2);
  const vocabulary = createVocabulary();
  // The logarithm of the rank is uniform, so a word's frequency is inverse to its rank.
  const word = () => vocabulary[Math.floor(VOCABULARY ** random())];
  const sentence = (length) => Array.from({ length }, word).join(" ");
  const longest = Math.floor(size.chats / 2);
  const perChat = (size.messages - size.longestChat) / (size.chats - 1);
  const countMessages = (chat) =>
    chat === longest
      ? size.longestChat
      : Math.floor(perChat * (chat + 1)) - Math.floor(perChat * chat);

  let chats = [[], [], [], []];
  let messages = [[], [], [], []];
  let count = 0;
  const flush = async () => {
    await query(INSERT_CHATS, [userId, ...chats]);
    await query(INSERT_MESSAGES, messages);
    chats = [[], [], [], []];
    messages = [[], [], [], []];
  };
  for (let chat = 0; chat < size.chats; chat++) {
    const time = START_MS + chat * MINUTE_MS;
    const chatId = toId(time, chat);
    const length = countMessages(chat);
    [chatId, length, sentence(4), new Date(time)].forEach((value, column) =>
      chats[column].push(value),
    );
    for (let seq = 1; seq <= length; seq++) {
      count++;
      const text = sentence(seq % 2 === 1 ? WORDS.user : WORDS.assistant);
      const unique = count % UNIQUE_EVERY === 0 ? ` unique${count}` : "";
      [toId(time, 2 ** 40 + count), chatId, seq, text + unique].forEach((value, column) =>
        messages[column].push(value),
      );
    }
    if (messages[0].length >= BATCH) await flush();
  }
  await flush();
  return { vocabulary, longestChatId: toId(START_MS + longest * MINUTE_MS, longest) };
};
