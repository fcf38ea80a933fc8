/** What is wrong with the params of a watcher, for whoever must not start one on them (contract 09 §9). Pure. */
import type { JsonObject } from "../json-object.ts";
import { PARAM_FIELDS } from "./watch-params-fields.ts";

/** A line a problem, with the field and what was found; empty: none. */
export function paramProblems(
	json: JsonObject,
	schema: string,
): readonly string[] {
	return [
		...(json.schema === schema ? [] : [got(json, "schema", `"${schema}"`)]),
		...PARAM_FIELDS.flatMap(({ key, expected, isRight }) =>
			isRight(json[key]) ? [] : [got(json, key, expected)],
		),
	];
}

function got(json: JsonObject, key: string, expected: string): string {
	const value = json[key];
	const shown = value === undefined ? "nothing" : JSON.stringify(value);
	return `${key}: expected ${expected}, got ${shown}`;
}
