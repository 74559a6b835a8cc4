/** The parts of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};

export type Content = Readonly<
  Record<
    string,
    {
      schema: Schema;
      example?: unknown;
      examples?: Readonly<Record<"minimal" | "full", { value: unknown }>>;
    }
  >
>;

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly unknown[];
  "x-required-scope"?: string;
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { $ref?: string; description?: string; content?: Content }>>;
};

/** The parts of an OpenAPI document that the reference shows. */
export type OpenapiDocument = {
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters?: Readonly<Record<string, Parameter>>;
  };
};
