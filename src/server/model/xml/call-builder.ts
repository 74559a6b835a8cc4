import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { type ArgumentGrowth, createArgumentGrowth } from "./argument-growth";
import type { Leaf, TextKind } from "./leaf-reader";
import {
  addToParent,
  createChildFrame,
  createFrame,
  type Frame,
  readAttribute,
  readText,
  type Tag,
  toObject,
} from "./value-frame";
import { ANY_SHAPE, type Shape } from "./value-shape";

/** Receives the calls of a block. A call that is not closed is not complete. */
export type CallSink = {
  open: (toolName: string) => void;
  /** Receives the arguments as JSON while they arrive. */
  grow: (json: string) => void;
  close: (args: JsonObject) => void;
};

/** Elements that are no calls, where calls are expected. */
export class StructureError extends Error {
  constructor(
    readonly found: string,
    readonly expected: string,
  ) {
    super(found);
  }
}

/** What an element holds. */
export type Opened = TextKind | "elements";

/** Elements inside of each other, more than arguments need. */
const MAX_DEPTH = 32;

/** Calls that are built. */
type Build = {
  findShape: (toolName: string) => Shape;
  sink: CallSink;
  frames: Frame[];
  growth: ArgumentGrowth | undefined;
  /** The tool that is open. */
  toolName: string;
  /** Each action of it is a call. */
  hasActions: boolean;
};

/** @returns whether an element is the root of a block of calls. */
export const isRoot = ({ name, attributes }: Tag): boolean =>
  name === "tools" || (name === "tool" && Boolean(readAttribute(attributes, "name")?.trim()));

/** Builds calls from the elements of a block. Its functions throw a `StructureError`. */
export const createCallBuilder = (findShape: Build["findShape"], sink: CallSink) => {
  const build: Build = {
    findShape,
    sink,
    frames: [],
    growth: undefined,
    toolName: "",
    hasActions: false,
  };
  const { frames } = build;
  return {
    open: (tag: Tag): Opened => open(build, tag),
    addText: (text: string, isCdata: boolean): void => addText(build, text, isCdata),
    /** Adds text of the innermost element to the preview before the element is closed. */
    growText: (text: string): void => {
      const frame = frames.at(-1);
      const isParameter = frames.at(-2)?.role !== "value";
      if (isParameter && frame && isText(frame)) build.growth?.appendText(text);
    },
    /** Sets the text of the innermost element. */
    setLeaf: ({ text, isCdata }: Leaf): void => {
      const frame = frames.at(-1);
      if (!frame) return;
      frame.text = text;
      frame.isCdata = isCdata;
    },
    /** Closes the innermost element. @returns whether it was the root. */
    close: (): boolean => {
      closeFrame(build);
      frames.pop();
      return frames.length === 0;
    },
    /** @returns the number of open elements. */
    depth: (): number => frames.length,
    /** @returns the name of an open element, if not given of the innermost one. */
    element: (depth = frames.length - 1): string | undefined => frames[depth]?.element,
    /** @returns what may come next. */
    describeNext: (): string => describeNext(build),
  };
};

export type CallBuilder = ReturnType<typeof createCallBuilder>;

const open = (build: Build, tag: Tag): Opened => {
  const { frames } = build;
  if (frames.length === MAX_DEPTH) {
    throw new StructureError(`<${tag.name}>`, `at most ${MAX_DEPTH} elements in each other`);
  }
  const parent = frames.at(-1);
  if (parent === undefined && tag.name === "tools") {
    frames.push(createFrame({ role: "tools", element: tag.name }, ANY_SHAPE));
    return "elements";
  }
  if (parent === undefined || parent.role === "tools") return openTool(build, tag);
  const type = tag.name === "action" ? readAttribute(tag.attributes, "type") : undefined;
  return parent.role === "tool" && type !== undefined
    ? openAction(build, type, parent)
    : openValue(build, tag, parent);
};

/** Whether CDATA of an element is a text. */
const isText = ({ isJson, shape }: Frame): boolean => !isJson && shape.kinds.has("string");

const openCall = (build: Build): void => {
  build.sink.open(build.toolName);
  build.growth = createArgumentGrowth(build.sink.grow);
};

const openTool = (build: Build, { name, attributes }: Tag): Opened => {
  const toolName = readAttribute(attributes, "name")?.trim();
  if (name !== "tool" || !toolName) throw new StructureError(`<${name}>`, '<tool name="…">');
  build.toolName = toolName;
  build.hasActions = false;
  build.frames.push(createFrame({ role: "tool", element: name }, build.findShape(toolName)));
  openCall(build);
  return "elements";
};

const openAction = (build: Build, type: string, { shape, fields }: Frame): Opened => {
  if (fields) throw new StructureError("<action>", "either parameters or actions");
  if (build.hasActions) openCall(build);
  build.hasActions = true;
  const frame = createFrame({ role: "action", element: "action" }, shape);
  const key = ["action", "type"].find((name) => shape.declares(name));
  if (key !== undefined) {
    frame.fields = new Map([[key, { shape: ANY_SHAPE, values: [type], whole: undefined }]]);
    build.growth?.addField(key, type);
  }
  build.frames.push(frame);
  return "elements";
};

const openValue = (build: Build, tag: Tag, parent: Frame): Opened => {
  if (parent.role === "tool" && build.hasActions) {
    throw new StructureError(`<${tag.name}>`, "<action> or </tool>");
  }
  const frame = createChildFrame(tag, parent);
  build.frames.push(frame);
  if (parent.role !== "value") build.growth?.openParameter(frame);
  if (!frame.isJson && !frame.shape.isText) return "CDATA or elements";
  return frame.isItem && !frame.isJson ? "text or items" : "text";
};

const addText = (build: Build, text: string, isCdata: boolean): void => {
  const frame = build.frames.at(-1);
  if (!frame) return;
  const isAllowed = text.trim() === "" || frame.role === "value" || frame.role === "action";
  if (!isAllowed && (frame.role === "tools" || build.hasActions || frame.fields)) {
    throw new StructureError("text", describeNext(build));
  }
  frame.text += text;
  frame.isCdata ||= isCdata;
};

const closeFrame = (build: Build): void => {
  const { frames, hasActions, sink } = build;
  const [parent, frame] = [frames.at(-2), frames.at(-1)];
  if (frame?.role === "value" && parent) {
    const value = addValue(frame, parent);
    if (parent.role !== "value") build.growth?.closeParameter(value);
  }
  if (frame?.role === "action" || (frame?.role === "tool" && !hasActions)) {
    const args = readArguments(frame);
    build.growth?.close();
    build.growth = undefined;
    sink.close(args);
  }
};

const describeNext = ({ frames, hasActions }: Build): string => {
  const frame = frames.at(-1);
  if (!frame) return '<tools> or <tool name="…">';
  if (frame.role === "tools") return '<tool name="…"> or </tools>';
  if (frame.role === "tool" && hasActions) return '<action type="…"> or </tool>';
  return frame.role === "value" ? `</${frame.element}>` : `a parameter or </${frame.element}>`;
};

const addValue = (frame: Frame, parent: Frame): JsonValue => {
  if (frame.fields && frame.text.trim() !== "") {
    throw new StructureError("text", `elements or </${frame.element}>`);
  }
  try {
    return addToParent(frame, parent);
  } catch {
    throw new StructureError("text that is no JSON", `JSON in <${frame.element}>`);
  }
};

/** Reads the arguments of a call: an element for each, or JSON of all. */
const readArguments = ({ fields, text, shape, element }: Frame): JsonObject => {
  if (text.trim() === "") return toObject(fields);
  const args = fields ? text : readText(text, shape, false);
  if (isJsonObject(args)) return args;
  throw new StructureError("text", `a parameter or </${element}>`);
};
