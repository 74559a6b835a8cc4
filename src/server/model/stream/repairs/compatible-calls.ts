import { isRecord } from "@/lib/is-record";
import { type FieldEditor, type Fields, toNumber, toText } from "./fields";

type Call = {
  /** Its own, which the client gets. */
  index: number;
  id: string | undefined;
  name: string;
  /** Arguments that wait for the name to be complete. */
  args: string;
  /** A delta of it waits. */
  isHeld: boolean;
  /** The client has got its name. */
  isSent: boolean;
};

/** What a delta adds to a call. */
type Addition = { index: number; id: string | undefined; name: string; args: string };

const EMPTY_ARGUMENTS = "{}";

/**
 * Repairs the deltas of tool calls of a server that is compatible with OpenAI:
 *
 * - Names may come in pieces, or again with each delta: the client takes the first piece for the name, and a second one for
 *   another call. A call is passed on with its whole name when its arguments begin, or when the answer ends.
 * - Ids may be numbers, and arguments objects.
 * - Before the arguments may stand an empty object, which makes them no JSON.
 * - Calls may share an index, which the client would take for one.
 */
export const createCallRepair = () => {
  const state = createState();
  return {
    /** @param delta that of a choice, whose deltas of calls are replaced by those that are passed on. */
    read: (editor: FieldEditor, delta: Fields, hasFinished: boolean): void => {
      const list = Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]) : [];
      const passed = list.filter(isRecord).flatMap((call) => readDelta(state, editor, call));
      const flushed = hasFinished ? flush(state) : [];
      if (flushed.length > 0 || (list.length > 0 && editor.hasChanged)) {
        editor.set(delta, "tool_calls", [...passed, ...flushed]);
      }
    },
    /** @returns the calls that wait for nothing but their end. */
    flush: (): Fields[] => flush(state),
    hasCalls: (): boolean => state.count > 0,
  };
};

type State = ReturnType<typeof createState>;

const createState = () => ({
  count: 0,
  /** Calls that the client does not have yet. */
  waiting: new Set<Call>(),
  /** By the server's index. */
  open: new Map<number, Call>(),
});

const flush = ({ waiting }: State, except?: Call): Fields[] => {
  const calls = [...waiting].filter((call) => call !== except);
  for (const call of calls) waiting.delete(call);
  return calls.map(send);
};

const send = (call: Call): Fields => {
  call.isSent = true;
  const { index, id, name, args } = call;
  return {
    index,
    ...(id !== undefined && { id }),
    type: "function",
    function: { ...(name !== "" && { name }), arguments: dropEmptyObject(args) },
  };
};

const readDelta = (state: State, editor: FieldEditor, delta: Fields): Fields[] => {
  const fields = isRecord(delta.function) ? delta.function : {};
  editor.set(delta, "function", fields);
  editor.convert(delta, "index", toNumber);
  editor.convert(delta, "id", toText);
  editor.convert(fields, "arguments", toArguments);
  editor.convert(fields, "name", toName);
  const [id, name = "", args = ""] = [delta.id, fields.name, fields.arguments].map(toText);
  const { index } = delta;
  // Without an index, the client tells calls apart by their names.
  if (typeof index !== "number") return [delta];
  const call = findCall(state, { index, id: id === "" ? undefined : id, name, args });
  if (!call.isSent) return startCall(state, editor, { call, delta, name, args });
  editor.set(delta, "index", call.index);
  if (name !== "") editor.set(fields, "name", undefined);
  return [delta];
};

/** @returns the call of a delta: another id with a name at the same index is another call. */
const findCall = (state: State, { index, id, name }: Addition): Call => {
  const known = state.open.get(index);
  const isOther = known?.id !== undefined && id !== undefined && id !== known.id && name !== "";
  if (known && !isOther) {
    known.id ??= id;
    return known;
  }
  const call = { index: state.count, id, name: "", args: "", isHeld: false, isSent: false };
  state.count += 1;
  state.waiting.add(call);
  state.open.set(index, call);
  return call;
};

type Start = { call: Call; delta: Fields; name: string; args: string };

/** @returns the deltas of a call that the client does not have yet: none while its name may go on. */
const startCall = (
  state: State,
  editor: FieldEditor,
  { call, delta, name, args }: Start,
): Fields[] => {
  if (name !== call.name) call.name += name;
  call.args += args;
  const before = flush(state, call);
  const isReady = call.name !== "" && call.args !== "" && call.args !== EMPTY_ARGUMENTS;
  const isWhole = isReady && !call.isHeld && call.index === delta.index;
  call.isHeld = !isReady;
  if (isReady) state.waiting.delete(call);
  if (isWhole && before.length === 0) {
    call.isSent = true;
    return [delta];
  }
  editor.hasChanged = true;
  return isReady ? [...before, { ...delta, ...send(call) }] : before;
};

/** @returns null for a blank name: the client would drop the call. */
const toName = (value: unknown): string | null => {
  const name = toText(value) ?? "";
  return name.trim() === "" ? null : name;
};

const toArguments = (value: unknown): string | undefined =>
  typeof value === "object" ? JSON.stringify(value) : toText(value);

/** @param args may be an empty object before those that are meant. */
const dropEmptyObject = (args: string): string => {
  const rest = args.startsWith(EMPTY_ARGUMENTS) ? args.slice(EMPTY_ARGUMENTS.length) : "";
  return rest.trimStart().startsWith("{") ? rest : args;
};
