import { randomBytes } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { withDatabase } from "./query-database";
import { createTestDatabase, TEST_DATABASE_URL, type Templates, TEMPLATES } from "./test-database";
import { addUsers, type Credentials } from "./users";

/** Users of each role: more than one server has tests. */
const USERS = 1_000;

type Role = "owner" | "member";

/** The user of the test with a number, in a database with users. */
export const getUser = (role: Role, number: number): Credentials => {
  const { secret } = JSON.parse(process.env[TEMPLATES] ?? "{}") as Partial<Templates>;
  if (secret === undefined || number >= USERS) throw new Error(`there is no ${role} ${number}`);
  return toUser(role, secret, number);
};

const toUser = (role: Role, secret: string, number: number): Credentials => ({
  email: `${role}-${number}@example.org`,
  password: secret,
  apiKey: `parley_${secret}_${role}_${number}`,
});

/** The global set-up of the browser tests: creates what their databases are copies of. @returns what removes it. */
const createTemplates = async (): Promise<() => Promise<void>> => {
  const schema = await createTestDatabase(TEST_DATABASE_URL, "nothing");
  await withDatabase(schema, () => Promise.resolve());
  const secret = randomBytes(16).toString("base64url");
  const templates: Templates = { schema: schema.name, users: schema.name, secret };
  process.env[TEMPLATES] = JSON.stringify(templates);
  const withUsers = await createTestDatabase(TEST_DATABASE_URL, "schema");
  const passwordHash = await hashPassword(secret);
  await withDatabase(withUsers, async (pool) => {
    for (const role of ["owner", "member"] as const) {
      const users = Array.from({ length: USERS }, (_, number) => toUser(role, secret, number));
      await addUsers(pool, { role, users, passwordHash });
    }
  });
  process.env[TEMPLATES] = JSON.stringify({ ...templates, users: withUsers.name });
  return async () => {
    await withUsers.remove();
    await schema.remove();
  };
};

export default createTemplates;
