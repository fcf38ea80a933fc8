/** Makes the page anew: `bun tests/texts/state-machine/write.ts`. */
import { join } from "node:path";
import { CODE_ROOT } from "../../../monitor/_sys/names.ts";
import { PAGE, renderPage } from "./page.ts";

await Bun.write(join(CODE_ROOT, PAGE), await renderPage());
