/** The page on a watcher's params, made from the table that checks them and the template that starts them. Pure. */

import { WATCH_PARAMS_SCHEMA } from "../../../monitor/_state/fleet/watch-params.ts";
import { PARAM_FIELDS } from "../../../monitor/_state/fleet/watch-params-fields.ts";
import { readText } from "../commands.ts";
import { table } from "../state-machine/diagram.ts";

export const PAGE = "resources/watch-params-schema.md";
export const TEMPLATE = "resources/watch_params.template.json";

export function template(): Readonly<Record<string, unknown>> {
	return JSON.parse(readText(TEMPLATE));
}

export function renderPage(): string {
	const defaults = template();
	const rows = PARAM_FIELDS.map(({ key, expected, meaning, isRight }) => [
		`\`${key}\``,
		expected,
		isRight(undefined) ? `\`${JSON.stringify(defaults[key])}\`` : "required",
		meaning,
	]);
	return `<!-- Made by tests/texts/watch-params/write.ts from monitor/_state/fleet/watch-params-fields.ts. -->

# watch_params.json

\`.thrum/agents/<watcher>/watch_params.json\` is all that a standing watcher needs to go on after a restart. It is the
coordinator's file. The watcher reads it at the top of every cycle, and changes \`roster\` alone, when its parent, a
coordinator or the human asks for it. Whoever writes it reads it anew, changes a field, keeps the keys it does not
know, and renames the whole file into place.

\`schema\` is \`"${WATCH_PARAMS_SCHEMA}"\`. A duration is a whole number with \`s\`, \`m\`, \`h\` or \`d\`. Programs of the kit
need a readable \`roster\` and take the default of whatever else is missing or wrong; a start refuses anything wrong.

${table(["field", "holds", "default", "meaning"], rows)}
`;
}
