import type { ComponentType } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** What a field of a form gets. */
export type FieldProps = {
  /** A schema of `toFormSchema`. */
  schema: JsonObject;
  value: JsonValue | undefined;
  onChange: (value: JsonValue | undefined) => void;
  /** The errors of the field and of the fields in it; pointers are into its value. */
  errors: readonly FieldError[];
  /** Unique on the page: the id of the form and the keys that lead to the field, joined by slashes. */
  id: string;
  /** Empty for a root without a title. */
  name: string;
  isNameHidden?: boolean;
  isRoot?: boolean;
  isRequired: boolean;
  /** In a form whose optional fields are not marked, as most are. */
  isUnmarked?: boolean;
  autoFocus?: boolean;
  disabled: boolean;
  /** Draws a field of any schema. It is passed on, as fields contain fields. */
  Field: ComponentType<FieldProps>;
};
