-- Groups have schemas, whose forms list their fields in the order of their keys, which jsonb does not keep.
ALTER TABLE "setting" ALTER COLUMN "value" TYPE JSON USING "value"::json;
