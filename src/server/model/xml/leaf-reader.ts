import { decodeText } from "./decode-text";

/** The text of an element that has no elements. */
export type Leaf = { text: string; isCdata: boolean };

export type LeafProgress =
  /** All of the text was read, and the element goes on. */
  | { type: "open" }
  /** The element has ended at the index after its closing tag. */
  | { type: "closed"; index: number; leaf: Leaf }
  /** The element has elements after all, which are in the rest. */
  | { type: "elements"; rest: string }
  /** The index is negative for what was read before. */
  | { type: "malformed"; index: number; found: string };

type Step = LeafProgress | { type: "next"; from: number };

const CDATA = "<![CDATA[";
const CDATA_END = "]]>";
const OPEN = { type: "open" } as const;
/** What closes the elements around a text: in a text without CDATA, its own closing tag was forgotten. */
const OUTER = ["</tools>", "</tool>"];
const ITEM = "<item";

/** What an element holds that may be a text. */
export type TextKind = "text" | "text or items" | "CDATA or elements";

/** A text that is read. */
type State = {
  part: "lead" | "plain" | "cdata" | "after";
  /** The closing tag without its end. */
  closing: string;
  kind: TextKind;
  content: string;
  /** Whitespace before a text, or after a CDATA section, which may belong to the text. */
  space: string;
  /** The end of what was read, which may be the start of a tag. */
  held: string;
  isCdata: boolean;
  onCdata: (text: string) => void;
};

/**
 * Reads the content of elements that hold a text. CDATA is read verbatim. Text without CDATA is read up to the
 * closing tag, so that code with `<` and `&` is read as it was meant.
 *
 * @param onCdata receives text of CDATA sections as it arrives.
 */
export const createLeafReader = (onCdata: (text: string) => void) => {
  const state: State = {
    part: "lead",
    closing: "",
    kind: "text",
    content: "",
    space: "",
    held: "",
    isCdata: false,
    onCdata,
  };
  return {
    /** Begins with the content of an element. */
    start: (name: string, kind: TextKind): void => {
      state.part = "lead";
      state.closing = `</${name}`;
      state.kind = kind;
      state.content = state.space = state.held = "";
      state.isCdata = false;
    },
    /** @returns what ends the text, or its CDATA; undefined if it is not known whether there is one. */
    end: (): string | undefined => {
      if (state.part === "cdata") return CDATA_END;
      return state.part === "lead" && state.kind === "CDATA or elements" ? undefined : "</";
    },
    /** Reads on. Indexes are those of the text. */
    write: (text: string): LeafProgress => {
      const before = state.held.length;
      let from = 0;
      let rest = state.held + text;
      for (;;) {
        state.held = "";
        const step = READ[state.part](state, rest);
        if (step.type === "open" || step.type === "elements") return step;
        if (step.type !== "next") return { ...step, index: step.index + from - before };
        from += step.from;
        rest = rest.slice(step.from);
      }
    },
  };
};

const close = (state: State, index: number): LeafProgress => {
  const { content, space, isCdata } = state;
  const text = isCdata ? content : decodeText((space + content).trim());
  return { type: "closed", index, leaf: { text, isCdata } };
};

/** @returns the index after the closing tag that begins at `from`; undefined if it is not all there, -1 for none. */
const findClosingEnd = ({ closing }: State, text: string, from: number): number | undefined => {
  if (!text.startsWith(closing, from)) {
    return closing.startsWith(text.slice(from, from + closing.length)) ? undefined : -1;
  }
  const after = from + closing.length;
  if (text.charAt(after) === ">") return after + 1;
  const [space = "", end] = /^\s*(>)?/.exec(text.slice(after)) ?? [];
  if (end !== undefined) return after + space.length;
  return after + space.length === text.length ? undefined : -1;
};

/** Reads whitespace. @returns the index of what comes after it; undefined if there is nothing. */
const readSpace = (state: State, text: string): number | undefined => {
  const start = text.startsWith("<") ? 0 : text.search(/\S/);
  state.space += start === -1 ? text : text.slice(0, start);
  return start === -1 ? undefined : start;
};

/** @returns whether CDATA begins at the index; undefined if that is not known yet. */
const isCdataStart = (text: string, from: number): boolean | undefined => {
  const start = text.slice(from, from + CDATA.length);
  if (start === CDATA) return true;
  return CDATA.startsWith(start) ? undefined : false;
};

const startCdata = (state: State, from: number): Step => {
  // Whitespace around sections is layout; between two of them it is text.
  if (state.isCdata && state.space !== "") {
    state.content += state.space;
    state.onCdata(state.space);
  }
  state.space = "";
  state.isCdata = true;
  state.part = "cdata";
  return { type: "next", from: from + CDATA.length };
};

const hold = (state: State, text: string, from: number): LeafProgress => {
  state.held = text.slice(from);
  return OPEN;
};

const readLead = (state: State, text: string): Step => {
  const start = readSpace(state, text);
  if (start === undefined) return OPEN;
  const isCdata = isCdataStart(text, start);
  if (isCdata === undefined) return hold(state, text, start);
  if (isCdata) return startCdata(state, start);
  if (state.kind === "CDATA or elements") {
    return { type: "elements", rest: state.space + text.slice(start) };
  }
  const hasItems = state.kind === "text or items";
  const tag = text.slice(start, start + ITEM.length + 1);
  if (hasItems && /^<item[\s/>]/.test(tag)) return { type: "elements", rest: text.slice(start) };
  if (hasItems && ITEM.startsWith(tag)) return hold(state, text, start);
  state.part = "plain";
  return { type: "next", from: start };
};

const readPlain = (state: State, text: string): Step => {
  let tag = text.indexOf("<");
  for (; tag !== -1; tag = text.indexOf("<", tag + 1)) {
    const end = findClosingEnd(state, text, tag);
    if (end !== undefined && end !== -1) {
      state.content += text.slice(0, tag);
      return close(state, end);
    }
    const outer = OUTER.find((one) => text.startsWith(one, tag));
    const isPart = end === undefined || OUTER.some((one) => one.startsWith(text.slice(tag)));
    if (end === -1 && outer === undefined && !isPart) continue;
    state.content += text.slice(0, tag);
    return outer === undefined
      ? hold(state, text, tag)
      : { type: "malformed", index: tag, found: outer };
  }
  state.content += text;
  return OPEN;
};

const readCdata = (state: State, text: string): Step => {
  const end = text.indexOf(CDATA_END);
  const whole = end === -1 ? text.length - countBrackets(text) : end;
  if (whole > 0) {
    state.content += text.slice(0, whole);
    state.onCdata(text.slice(0, whole));
  }
  if (end === -1) return hold(state, text, whole);
  state.part = "after";
  return { type: "next", from: end + CDATA_END.length };
};

const readAfter = (state: State, text: string): Step => {
  const start = readSpace(state, text);
  if (start === undefined) return OPEN;
  const isCdata = isCdataStart(text, start);
  if (isCdata) return startCdata(state, start);
  const end = findClosingEnd(state, text, start);
  if (end === undefined || isCdata === undefined) return hold(state, text, start);
  return end === -1
    ? { type: "malformed", index: start, found: "text after CDATA" }
    : close(state, end);
};

const READ: Record<State["part"], (state: State, text: string) => Step> = {
  lead: readLead,
  plain: readPlain,
  cdata: readCdata,
  after: readAfter,
};

/** The brackets at the end of a text that may begin the end of a CDATA section. */
const countBrackets = (text: string): number => {
  if (text.endsWith("]]")) return 2;
  return text.endsWith("]") ? 1 : 0;
};
