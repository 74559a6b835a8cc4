-- Variables of the environment go only where the operator says. Where they went before this, they still go.
INSERT INTO "setting" ("key", "value")
SELECT
  'mcp_variable_uses',
  json_build_object(
    'servers',
    json_agg(
      json_build_object(
        'id', "id",
        'transport', "declaration"::jsonb -> 'transport',
        'updated_at', to_char("updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
    )
  )
FROM "mcp_server"
WHERE "declaration"::text LIKE '%${MCP%'
HAVING count(*) > 0
ON CONFLICT DO NOTHING;
