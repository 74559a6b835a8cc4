-- Recipes that administrators have declared.
CREATE TABLE "recipe" (
    "name" TEXT NOT NULL,
    "declaration" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "recipe_pkey" PRIMARY KEY ("name")
);
