import { parse as parseContentDisposition } from "content-disposition";
import { DomainError } from "@/contract/domain-error";

/** The fields of a request whose body is a file. */
export type FileFields = { file: Uint8Array } & Record<string, unknown>;

/**
 * Takes a file from a body: the whole body, with a name in the header `content-disposition`, or the one file
 * of a form, whose other fields are fields of the request.
 *
 * @throws {DomainError} `invalid`.
 */
export const readFileFields = async (headers: Headers, body: Uint8Array): Promise<FileFields> => {
  const type = headers.get("content-type") ?? "";
  if (/^multipart\/form-data\s*;/i.test(type)) return readForm(type, body);
  const name = readName(headers.get("content-disposition"));
  return { ...(name !== undefined && { name }), ...readType(type), file: body };
};

/** The name of a body by its header; undefined without one. */
export const readName = (header: string | null): string | undefined => {
  if (header === null) return undefined;
  const { filename } = parseContentDisposition(header).parameters;
  return filename === "" ? undefined : filename;
};

const readForm = async (type: string, body: Uint8Array): Promise<FileFields> => {
  const form = await parseForm(type, body);
  const entries = [...form.entries()];
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const files = entries.flatMap(([, value]) => (typeof value === "string" ? [] : [value]));
  const [file] = files;
  if (!file || files.length > 1) {
    throw new DomainError("invalid", `The form has ${files.length} files: send one at a time.`, {
      errors: [{ pointer: "/file", message: "must be one file" }],
    });
  }
  const name = file.name === "" ? {} : { name: file.name };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { ...name, ...readType(file.type), ...Object.fromEntries(fields), file: bytes };
};

/** What programs send that do not know what the file is. */
const UNKNOWN_TYPES = ["", "application/octet-stream", "application/x-www-form-urlencoded"];

const readType = (header: string): { media_type?: string } => {
  const [type = ""] = header.split(";");
  const media_type = type.trim().toLowerCase();
  return UNKNOWN_TYPES.includes(media_type) ? {} : { media_type };
};

const parseForm = async (type: string, body: Uint8Array): Promise<FormData> => {
  try {
    const init = { headers: { "content-type": type } };
    return await new Response(body as BodyInit, init).formData();
  } catch (cause) {
    throw new DomainError(
      "invalid",
      "The form could not be read: it must be multipart/form-data.",
      {
        cause,
      },
    );
  }
};
