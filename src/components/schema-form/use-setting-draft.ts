import { isSameJson } from "@/lib/is-same-json";
import { type FormEvent, useState } from "react";
import type * as z from "zod";
import { useFormErrors } from "@/components/ui/use-form-errors";
import { getOwn, setOwn } from "./field-value";
import { toFieldErrors } from "@/contract/field-errors";
import type { JsonObject, JsonValue } from "@/contract/json";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError, Problem } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";
import {
  findPart,
  type FormPart,
  listFields,
  type SettingField,
  toSentValue,
} from "./setting-fields";

type Value = JsonValue | undefined;
/** What was entered and not saved yet, by paths. */
type Edits = Readonly<Record<string, Value>>;

export type DraftInput<Input> = {
  /** What the form sends. */
  schema: z.ZodType<Input>;
  /** What is stored, or what a new one begins with. */
  stored: object;
  /** @param get returns the value at a path, on which other fields may depend. */
  parts: (get: (path: string) => Value) => readonly FormPart[];
  /** Returns what fields have in place of what is stored, as long as nothing is entered there. */
  suggest?: (get: (path: string) => Value) => object;
  /** Converts the values of the fields to what is sent. */
  toInput?: (values: JsonObject) => JsonObject;
  /** Finds what the schema cannot express in the values of the fields. */
  check?: (values: JsonObject) => FieldError[];
  /** Returns the place in the form of an error of the server. */
  locate?: (pointer: string) => string;
  /** While busy, the form is not sent again. */
  isBusy: boolean;
  /** Why the last attempt failed; its errors appear at their fields until these are changed. */
  problem: Problem | undefined;
  onSubmit: (input: Input) => void;
  /** Called when a value is changed. */
  onEdit?: () => void;
};

/** The values of a form of settings: what was entered, over what is stored, which others may change meanwhile. */
export const useSettingDraft = <Input>(given: DraftInput<Input>) => {
  const { problem, onSubmit } = given;
  const { formRef, ...form } = useFormErrors(given);
  const { edits, edit } = useEdits(given.stored as JsonObject);
  const read = (from: DraftInput<Input>) => (path: string) =>
    path in edits ? edits[path] : readStored(from, path);
  const stored = { ...given.stored, ...given.suggest?.(read(given)) } as JsonObject;
  const props = { ...given, stored };
  const get = read(props);
  const parts = props.parts(get);
  const fields = listFields(parts);
  const { values, input, errors } = collectInput(props, { fields, edits });
  const local = form.wasTried ? errors : [];
  const remote = (problem?.errors ?? []).map(({ pointer, message }) => ({
    pointer: props.locate?.(pointer) ?? pointer,
    message,
  }));
  const findError = (field: SettingField): string | undefined =>
    findFieldError(local, field) ??
    (form.isDismissed(field.path) ? undefined : findFieldError(remote, field));
  return {
    formRef,
    parts,
    /** Whether nothing is to be saved. */
    isClean: errors.length === 0 && isSame(values, stored),
    /** What is wrong with the form as a whole. */
    problemText: describeRest([...local, ...remote], fields) ?? problem?.detail,
    findError,
    /** Returns what is shown of the value of a field. */
    getShown: (field: SettingField): Value => {
      const value = get(field.path);
      if (!field.text || field.path in edits) return value;
      return value === undefined || value === null ? undefined : field.text.format(value);
    },
    change: (field: SettingField, value: Value) => {
      edit(field.path, value);
      props.onEdit?.();
      form.dismiss(field.path);
    },
    handleSubmit: (event: FormEvent) =>
      form.submit(event, input === undefined ? undefined : () => onSubmit(input)),
  };
};

/** Forgets what was entered when it is what is stored. */
const useEdits = (stored: JsonObject) => {
  const [edits, setEdits] = useState<Edits>({});
  const [previous, setPrevious] = useState(stored);
  if (previous !== stored) {
    setPrevious(stored);
    const isNew = ([path, value]: [string, Value]) => !isSame(value, getAt(stored, path));
    setEdits(Object.fromEntries(Object.entries(edits).filter(isNew)));
  }
  const edit = (path: string, value: Value) => setEdits((before) => ({ ...before, [path]: value }));
  return { edits, edit };
};

const getAt = (values: JsonObject, path: string): Value =>
  path.split("/").reduce<Value>(getOwn, values);

const setAt = (values: Value, [key = "", ...rest]: readonly string[], value: Value): JsonObject =>
  setOwn(values, key, rest.length === 0 ? value : setAt(getOwn(values, key), rest, value));

/** What is not stored has the default of the contract. */
const readStored = <Input>({ schema, stored }: DraftInput<Input>, path: string): Value =>
  getAt(stored as JsonObject, path) ?? findPart(schema, path).schema.default;

type Fields = { fields: readonly SettingField[]; edits: Edits };

/** Collects what is sent. What was not entered is sent as it is stored. */
const collectInput = <Input>(props: DraftInput<Input>, { fields, edits }: Fields) => {
  const errors: FieldError[] = [];
  let values = props.stored as JsonObject;
  for (const field of fields) {
    const entered = field.path in edits ? edits[field.path] : readStored(props, field.path);
    const parsed = parseField(props.schema, field, entered);
    if ("error" in parsed) errors.push({ pointer: `/${field.path}`, message: parsed.error });
    else values = setAt(values, field.path.split("/"), parsed.value);
  }
  const parsed = parseKnown(props.schema, props.toInput?.(values) ?? values);
  const refused = parsed.success ? [] : toFieldErrors(parsed.error.issues);
  const explained = refused.map((error) => explainError(error, fields));
  const all = [...errors, ...(props.check?.(values) ?? []), ...explained];
  return { values, input: all.length === 0 ? parsed.data : undefined, errors: all };
};

/** What the contract does not have, such as the fields of an option that is not chosen, is not sent. */
const parseKnown = <Input>(schema: z.ZodType<Input>, input: JsonObject) => {
  const parsed = schema.safeParse(input);
  const unknown = (parsed.error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path, key].map(String))
      : [],
  );
  if (unknown.length === 0) return parsed;
  return schema.safeParse(unknown.reduce((rest, path) => setAt(rest, path, undefined), input));
};

/** Returns what is sent for what was entered, or why nothing can be. */
const parseField = (schema: z.ZodType, field: SettingField, entered: Value) => {
  const { text, missing, path } = field;
  // What is stored is of its own type, unless nothing is.
  const isText = typeof entered === "string" || entered === undefined;
  const parsed = text && isText ? text.parse(entered ?? "") : { value: entered };
  if ("error" in parsed) return parsed;
  const value = toSentValue(findPart(schema, path), field, parsed.value);
  return missing !== undefined && (value ?? "") === "" ? { error: missing } : { value };
};

/** Leaves out what is as before. */
export const pickChanges = (values: JsonObject, before: object): JsonObject => {
  const isNew = ([key, value]: [string, Value]) => !isSame(value, (before as JsonObject)[key]);
  return Object.fromEntries(Object.entries(values).filter(isNew));
};

const isSame = (one: Value, other: Value): boolean =>
  one === other || (one !== undefined && other !== undefined && isSameJson(one, other));

const isWithin = ({ pointer }: FieldError, path: string): boolean =>
  pointer === `/${path}` || pointer.startsWith(`/${path}/`);

/** Says what is wrong in the words of the field. */
const explainError = (found: FieldError, fields: readonly SettingField[]): FieldError => {
  const field = fields.find(({ path }) => isWithin(found, path));
  return field?.error === undefined ? found : { pointer: `/${field.path}`, message: field.error };
};

/** Returns the first error of a field; one of a part of its value begins with the name of the part. */
const findFieldError = (
  errors: readonly FieldError[],
  { path }: Pick<SettingField, "path">,
): string | undefined => {
  const found = errors.find((error) => isWithin(error, path));
  if (!found) return undefined;
  const [part = ""] = parsePointer(found.pointer.slice(path.length + 1));
  const isNamed = part !== "" && !/^\d+$/.test(part);
  return toSentence(isNamed ? `${part} ${found.message}` : found.message);
};

/** Describes the errors of no field. */
const describeRest = (
  errors: readonly FieldError[],
  fields: readonly SettingField[],
): string | undefined => {
  const rest = errors.filter((error) => !fields.some(({ path }) => isWithin(error, path)));
  return rest.length === 0 ? undefined : rest.map(({ message }) => toSentence(message)).join(" ");
};
