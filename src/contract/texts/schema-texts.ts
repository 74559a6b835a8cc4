/**
 * What a field means, and a value of it where none follows from the schema. The description is null where the schema
 * itself has it, as the model reads it, too.
 */
export type FieldText = readonly [description: string | null, example?: unknown];

type FieldsOf<Value> = Value extends unknown ? keyof Value & string : never;

/** A text of each field of a schema, or of each member of a union; fields within a field are named by their path. */
export type FieldTexts<Value> = Readonly<Record<FieldsOf<Value>, FieldText>> &
  Readonly<Record<`${string}.${string}`, FieldText>>;

/** By the name of a schema, or of the operation whose input or output has none, and the path of the field. */
export type SchemaTexts = Readonly<
  Partial<Record<string, Readonly<Partial<Record<string, FieldText>>>>>
>;
