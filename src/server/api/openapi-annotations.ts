import { createSchemaAnnotator, type Schema } from "./openapi-examples";
import type { Json } from "./openapi-schemas";

type Reference = { $ref: string };
type Parameter = { name: string; description?: string; schema: Schema };
type Content = Record<string, { schema: Schema; example?: unknown; examples?: object }>;
type Body = { content?: Content };
type DescribedOperation = {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: Body;
  responses: Record<string, Body>;
};
type Document = Json & {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Body> };
};

/** Adds a description and an example to every field, parameter and body of a document. */
export const annotateDocument = (unannotated: Json): Json => {
  // Shared objects of parameters and schemas would otherwise be annotated for several operations.
  const document = structuredClone(unannotated) as Document;
  const { schemas, responses } = document.components;
  const annotator = createSchemaAnnotator(schemas);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const [name, schema] of Object.entries(schemas)) annotator.addTexts(schema, name);
  for (const schema of Object.values(schemas)) annotator.addExamples(schema);
  for (const schema of Object.values(schemas)) {
    schema.examples ??= [annotator.createExample(schema)];
  }

  const annotateBody = ({ content = {} }: Body, owner: string): void => {
    for (const media of Object.values(content)) {
      if (media.schema.format === "binary") continue;
      annotator.addTexts(media.schema, owner);
      annotator.addExamples(media.schema);
      if (!media.examples) media.example = annotator.createExample(media.schema);
    }
  };
  for (const { operationId, parameters = [], requestBody, responses: answers } of operations) {
    for (const parameter of parameters) {
      // A header is the same everywhere.
      if (!("$ref" in parameter)) annotateParameter(parameter, operationId);
    }
    for (const body of [...(requestBody ? [requestBody] : []), ...Object.values(answers)]) {
      annotateBody(body, operationId);
    }
  }
  for (const body of Object.values(responses)) annotateBody(body, "Problem");
  return document;

  function annotateParameter(parameter: Parameter, owner: string): void {
    annotator.annotateField(parameter.name, parameter.schema, owner);
    // A form may have the same field, which keeps the description.
    const { description, ...schema } = parameter.schema;
    parameter.schema = schema;
    if (description !== undefined) parameter.description ??= description;
  }
};
