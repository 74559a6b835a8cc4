/** What the document says of an operation besides its definition. */
export type OperationText = {
  /** What it does, in sentences, after the summary. */
  about: string;
  /** What it refuses after what all operations refuse, in its order, each with its status. */
  refusals?: readonly string[];
  /** Of how much there is how much at most. */
  limits?: string;
  /** What a repetition does, where it is not as of all operations. */
  repetition?: string;
  /**
   * Bodies, of an operation that takes JSON: the smallest one, which a new server accepts (a test sends it), and one with all that
   * is used often.
   */
  examples?: { minimal: object; full: object };
};

export type OperationTexts = Readonly<Record<string, OperationText>>;

const ID = "0198c0de-0000-7000-8000-00000000000";

/** Ids of examples. */
export const EXAMPLE_IDS = {
  message: `${ID}2`,
  model: `${ID}6`,
  file: "0198c0de-0000-7000-8000-000000000021",
  token: "0198c0de-0000-4000-8000-000000000020",
};

export const UNKNOWN_CHAT = "`404` for an unknown chat.";
export const UNKNOWN_CALL = "`404` for an unknown chat or call.";
export const OTHER_TOOL = "`403` for a call that the key may not answer.";
export const ARCHIVED = "`409` `chat_archived`.";
export const ADMINISTRATORS = "`403` for everybody but administrators.";
