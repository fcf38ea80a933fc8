/** The two files that follow from the rows. */
import { renderExample } from "./example.ts";
import { renderReference } from "./reference.ts";

/** Path relative to the checkout, and text. */
export function generated(): readonly (readonly [string, string])[] {
	return [
		["config/nexus.example.yml", renderExample()],
		["docs/config-reference.md", renderReference()],
	];
}
