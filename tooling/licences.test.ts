import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type LockedPackage = { version?: string; license?: string; dev?: boolean };

/** Licences that ask for no more than to be named. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "ISC",
  "MIT",
  "OFL-1.1",
  "Unlicense",
]);

/**
 * Packages whose licence asks for the source of the package itself, if it is changed or passed on. Each is used as its maker
 * has published it, and can be replaced, as a package or a library of its own.
 */
const EXCEPTIONS: readonly { name: RegExp; license: string; reason: string }[] = [
  {
    name: /^@img\/sharp-(?:libvips-.+|wasm32|win32-.+)$/,
    license: "LGPL-3.0-or-later",
    reason: "libvips reads images for sharp, which links it dynamically",
  },
  {
    name: /^lightningcss(?:-.+)?$/,
    license: "MPL-2.0",
    reason: "writes the styles in a build; nothing of it is in what it writes",
  },
  {
    name: /^elkjs$/,
    license: "EPL-2.0",
    reason: "a dependency of the Studio of Prisma's command line, which the server never loads",
  },
];

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, LockedPackage>;
};
const production = Object.entries(packages).flatMap(([path, { dev, license }]) =>
  path === "" || dev === true ? [] : [{ name: path.replace(/^.*node_modules\//, ""), license }],
);

/** @returns the licences of which all apply; of a choice, the one that is allowed. */
const readLicences = (expression: string): string[] => {
  const names = expression.match(/[\w.+-]+/g)?.filter((word) => !/^(?:and|or)$/i.test(word)) ?? [];
  if (!/\sor\s/i.test(expression)) return names;
  const chosen = names.find((name) => ALLOWED.has(name));
  return chosen === undefined ? names : [chosen];
};

const isException = (name: string, license: string): boolean =>
  EXCEPTIONS.some((exception) => exception.license === license && exception.name.test(name));

it("uses only packages whose licences were read and accepted", () => {
  expect(production.length).toBeGreaterThan(400);
  const refused = production.filter(({ name, license }) => {
    const licences = readLicences(license ?? "none");
    return !licences.every((each) => ALLOWED.has(each) || isException(name, each));
  });
  expect(refused).toEqual([]);
});

it("has no exception that nothing needs any more", () => {
  const isUsed = ({ name: pattern, license: accepted }: (typeof EXCEPTIONS)[number]): boolean =>
    production.some(
      ({ name, license }) => pattern.test(name) && readLicences(license ?? "").includes(accepted),
    );
  expect(EXCEPTIONS.filter((exception) => !isUsed(exception))).toEqual([]);
});

it.each([
  ["(AFL-2.1 OR BSD-3-Clause)", ["BSD-3-Clause"]],
  ["MIT and ISC", ["MIT", "ISC"]],
  ["Apache-2.0 AND LGPL-3.0-or-later AND MIT", ["Apache-2.0", "LGPL-3.0-or-later", "MIT"]],
  ["GPL-3.0-only OR SSPL-1.0", ["GPL-3.0-only", "SSPL-1.0"]],
  ["SEE LICENSE IN LICENSE.md", ["SEE", "LICENSE", "IN", "LICENSE.md"]],
])("reads %s", (expression, licences) => {
  expect(readLicences(expression)).toEqual(licences);
});
