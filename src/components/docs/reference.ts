/** A piece of a type; one with a schema links to it. */
export type TypePart = { text: string; schema?: string };

/** Fields of an object; a value of several alternatives has one variant for each object among them. */
export type ReferenceVariant = { label: string | undefined; fields: readonly ReferenceField[] };

export type ReferenceShape = {
  type: readonly TypePart[];
  variants: readonly ReferenceVariant[];
};

export type ReferenceField = ReferenceShape & {
  name: string;
  isRequired: boolean;
  description: string;
  /** Bounds and the default, as short phrases. */
  limits: readonly string[];
};

export type ReferenceParameter = ReferenceField & { place: string };

export type ReferenceBody = ReferenceShape & { mediaType: string; example: string | undefined };

export type ReferenceResponse = {
  status: string;
  description: string;
  /** Missing for a response without a body. */
  body: ReferenceBody | undefined;
};

/** What a command needs to make a request. */
export type ReferenceRequest = {
  method: string;
  path: string;
  /** Values for the names in the path. */
  pathValues: readonly (readonly [name: string, value: string])[];
  needsKey: boolean;
  isStream: boolean;
  payload:
    | { kind: "none" }
    | { kind: "json"; text: string }
    | { kind: "form"; fields: readonly (readonly [name: string, value: string])[] }
    | { kind: "download" };
};

export type ReferenceOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: readonly ReferenceParameter[];
  bodies: readonly ReferenceBody[];
  responses: readonly ReferenceResponse[];
  /** Statuses of refusals, which have a problem document. */
  errorStatuses: readonly string[];
  /** Undefined for what only a signed-in browser may request. */
  request: ReferenceRequest | undefined;
};

export type ReferenceGroup = {
  /** The part of the address. */
  name: string;
  title: string;
  description: string;
  operations: readonly ReferenceOperation[];
};

export type ReferenceSchema = ReferenceShape & { name: string; example: string | undefined };

export type Reference = {
  /** The path of the API on its server. */
  basePath: string;
  groups: readonly ReferenceGroup[];
  schemas: readonly ReferenceSchema[];
};
