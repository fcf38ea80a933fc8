/**
 * A folder that holds a program named `bun`, for the PATH of what is found by its shebang. The file that runs us is none:
 * npm calls it `bun.exe`.
 */
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

export const BUN_DIR = join(CODE_ROOT, "node_modules/.bin");
