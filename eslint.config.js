import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const forbid = [
  {
    selector: "ExportAllDeclaration",
    message: "No barrel files: import the file that owns the name.",
  },
  { selector: "TSEnumDeclaration", message: "Use z.enum or a const tuple." },
  {
    selector: ":matches(SpreadElement, JSXSpreadAttribute) > ObjectExpression",
    message: "Write the properties themselves: spreading a literal only hides lines.",
  },
  {
    selector: "SpreadElement > ArrayExpression",
    message: "Write the elements themselves: spreading a literal only hides lines.",
  },
  {
    // The exported object `z` holds all of zod, so a page that uses a part of it would load all.
    selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier, Literal)",
    message: 'Write import * as z from "zod".',
  },
];
const dynamicImport = {
  selector: "ImportExpression",
  message: "Static imports only, except where a page loads a heavy part (docs/adr/0053).",
};
const lazyImport = {
  selector: "CallExpression[callee.name='lazy'] > ArrowFunctionExpression > ImportExpression",
  message: "Use importPart: the server may be away for a moment, and React keeps a failed import.",
};
const readEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Read settings from @/server/env.",
};
const otherFolder = { group: ["../*"], message: "Use @/… across folders, ./ inside one." };
const openedByNext = [
  { name: "next/navigation", importNames: ["useRouter"] },
  { name: "next/link", importNames: ["default"] },
].map((path) => ({ ...path, message: "Use useNavigate, which stays in the app (docs/adr/0070)." }));
const hiddenInputs = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Take `now` as an argument.",
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: "Take `now` as an argument.",
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Take ids and chance as arguments.",
  },
];

const CHAT_WRITE = "/\\b(UPDATE|INTO|DELETE FROM)\\s+chat\\b|\\b(pg_notify|NOTIFY)\\b/";
const MACHINE_WRITE = "/\\b(UPDATE|INTO|DELETE FROM)\\s+(message|part|task|queued_message)\\b/";
const forbidText = (pattern, message) =>
  ["TemplateElement[value.raw=", "Literal[value="].map((selector) => ({
    selector: `${selector}${pattern}]`,
    message,
  }));
const writeByPrisma = {
  selector:
    "CallExpression[callee.object.property.name=/^(chat|message|part|task|queuedMessage)$/][callee.property.name=/^(create|update|upsert|delete)/]",
  message: "Only statements of server/db/sql write this table (docs/adr/0015).",
};
const writeChat = [
  ...forbidText(
    CHAT_WRITE,
    "Only server/db/sql/rows/chat-row.ts writes chats and their notices: build the statement there.",
  ),
  writeByPrisma,
];
const writeMachine = [
  ...writeChat,
  ...forbidText(
    MACHINE_WRITE,
    "Only statements of server/db/sql write this table (docs/adr/0015).",
  ),
];

export default tseslint.config(
  {
    ignores: [
      "**/.next/",
      "next-env.d.ts",
      "storybook-static/",
      "playwright-report/",
      "test-results/",
      "coverage/",
      "data/",
      "src/server/db/generated/",
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      // A recursive JSON type cannot be written as a Record.
      "@typescript-eslint/consistent-indexed-object-style": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": ["error", { ignoreVoid: false }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/ban-ts-comment": [
        "error",
        { "ts-expect-error": "allow-with-description", minimumDescriptionLength: 10 },
      ],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-depth": ["error", 3],
      "max-params": ["error", 3],
      complexity: ["error", 12],
      eqeqeq: "error",
      // What commands print has control characters.
      "no-control-regex": "off",
      "no-console": "error",
      "no-restricted-imports": ["error", { paths: openedByNext, patterns: [otherFolder] }],
      "no-restricted-syntax": ["error", ...forbid, dynamicImport, readEnv, ...writeMachine],
    },
  },
  {
    files: ["src/server/db/sql/**"],
    rules: {
      "no-restricted-syntax": ["error", ...forbid, dynamicImport, readEnv, ...writeChat],
    },
  },
  {
    files: ["src/server/db/sql/rows/chat-row.ts", "src/server/db/connection/postgres-bus.ts"],
    rules: { "no-restricted-syntax": ["error", ...forbid, dynamicImport, readEnv] },
  },
  {
    files: ["src/client/use-navigate.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [otherFolder] }] },
  },
  {
    // `@/` names no folder of stories, which share how they show a component.
    files: ["stories/**"],
    rules: { "no-restricted-imports": ["error", { paths: openedByNext }] },
  },
  {
    files: ["{src,stories}/**/*.tsx", "src/client/**/*.ts"],
    ...reactHooks.configs.flat["recommended-latest"],
  },
  {
    files: ["src/server/{agents,chat,machine,settings,tasks,turn}/**/*.ts", "src/lib/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...forbid,
        dynamicImport,
        readEnv,
        ...hiddenInputs,
        ...writeMachine,
      ],
    },
  },
  {
    files: ["src/server/env.ts", "src/test/**", "**/*.test.{ts,tsx}"],
    rules: { "no-restricted-syntax": ["error", ...forbid, dynamicImport] },
  },
  {
    // These load the heavy parts of a page when it needs them.
    files: [
      "src/client/{open-hub,trpc}.ts",
      "src/client/screens/chat/{chat-composer.tsx,chat-timeline.tsx,load-answering.ts,open-chat.tsx,use-find-bar.ts}",
      "src/client/screens/shell/{app-shell.tsx,use-shell-keys.ts}",
      "src/components/account/api-keys-settings.tsx",
      "src/components/approvals/approval-request.tsx",
      "src/components/chat/{assistant-message,context-ring,message-list,message-row,user-message}.tsx",
      "src/components/chat/regenerate-menu.tsx",
      "src/components/composer/{answer-settings,attachments,composer,composer-text,model-picker}.tsx",
      "src/components/mcp/mcp-servers-settings.tsx",
      "src/components/models/models-settings.tsx",
      "src/components/settings/recipes-settings.tsx",
      "src/components/sidebar/user-menu.tsx",
      "src/components/tool-cards/{card-library,load-cards}.ts",
      "src/components/ui/{confirm-dialog,drawer,image-link,markdown-renderer,menu,popover,tooltip}.tsx",
      "src/components/ui/{load-markdown,markdown-syntax,markdown-tree}.ts",
    ],
    rules: { "no-restricted-syntax": ["error", ...forbid, lazyImport, readEnv, ...writeMachine] },
  },
  {
    // Next loads this file in every runtime; what it starts exists in Node.js only.
    files: ["src/instrumentation.ts"],
    rules: { "no-restricted-syntax": ["error", ...forbid] },
  },
  {
    // Programs of the repository, not of the application: they print, and read the environment.
    files: [
      "*.config.*",
      "*.{js,mjs,cjs}",
      ".storybook/**",
      "{scripts,tooling,e2e,bench,chaos,examples}/**",
    ],
    rules: {
      "no-console": "off",
      "no-restricted-imports": "off",
      "no-restricted-syntax": ["error", ...forbid],
    },
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: Object.fromEntries(
        ["process", "console", "URL", "WebAssembly", "globalThis", "crypto", "fetch"]
          .concat(["setTimeout", "clearTimeout", "setImmediate", "Buffer", "AbortController"])
          .concat(["AbortSignal", "TextDecoder", "TextEncoder", "performance", "structuredClone"])
          .concat(["setInterval", "clearInterval", "Response", "Request", "Headers"])
          .concat(["ReadableStream", "TextDecoderStream", "module"])
          .map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    // Who may read and write a chat is decided there; everything else takes a viewer.
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/server/db/chats/viewer.ts"],
    rules: { "id-denylist": ["error", "ownerId", "owner_id"] },
  },
  {
    files: ["**/*.test.{ts,tsx}", "src/test/**", "stories/**", "e2e/**"],
    rules: {
      "max-lines": "off",
      "max-lines-per-function": "off",
      "max-params": "off",
      complexity: "off",
    },
  },
  prettier,
);
