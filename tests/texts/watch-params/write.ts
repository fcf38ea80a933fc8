/** Writes the page on a watcher's params. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../../monitor/_sys/names.ts";
import { PAGE, renderPage } from "./page.ts";

writeFileSync(join(CODE_ROOT, PAGE), renderPage());
