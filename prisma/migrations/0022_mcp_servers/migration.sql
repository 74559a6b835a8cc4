-- Servers of the Model Context Protocol that administrators have added.
CREATE TABLE "mcp_server" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "declaration" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "mcp_server_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "mcp_server_name_key" ON "mcp_server"("name");
