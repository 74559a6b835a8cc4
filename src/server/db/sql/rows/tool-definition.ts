/** SQL of the tool of that name in the JSON of a chat's dynamic tools; NULL without one. */
export const definitionAsJson = (tools: string, name: string): string =>
  `(SELECT tool FROM json_array_elements(${tools}) AS tool WHERE tool->>'name' = ${name} LIMIT 1)`;
