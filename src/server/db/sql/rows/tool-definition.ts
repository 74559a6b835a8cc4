/** SQL of the tool of that name in the JSON of a chat's dynamic tools; NULL without one. */
export const definitionAsJson = (tools: string, name: string): string =>
  `(SELECT tool FROM json_array_elements(${tools}) AS tool WHERE tool->>'name' = ${name} LIMIT 1)`;

/** SQL of the toolset that the call in `part` is of; NULL for other calls. Names of toolsets have no `_`. */
export const TOOLSET_OF_PART =
  "(CASE WHEN part.kind = 'toolset' THEN split_part(part.tool_name, '_', 1) END)";
