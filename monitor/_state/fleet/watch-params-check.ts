/** What is wrong with the params of a watcher, for whoever must not start one on them (contract 09 §9). Pure. */
import { isObject, type JsonObject, textAt } from "../json-object.ts";
import { bareName, isAgentName, isUser, isWatcherName } from "./names.ts";
import { parseIso } from "./time.ts";

/** A line a problem, with the field and what was found; empty: none. */
export function paramProblems(
	json: JsonObject,
	schema: string,
): readonly string[] {
	return [
		...(json.schema === schema ? [] : [got(json, "schema", `"${schema}"`)]),
		...FIELDS.flatMap(([key, expected, isRight]) =>
			isRight(json[key]) ? [] : [got(json, key, expected)],
		),
	];
}

type Field = readonly [string, string, (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isDuration = (value: unknown) =>
	typeof value === "string" && /^\d{1,9}[smhd]$/.test(value);
const isPercent = (value: unknown) =>
	Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isNamed = (test: (name: string) => boolean) => (value: unknown) =>
	typeof value === "string" && test(bareName(value));
const maybe = (test: (value: unknown) => boolean) => (value: unknown) =>
	value === undefined || test(value);
const orNull = (test: (value: unknown) => boolean) => (value: unknown) =>
	value === undefined || value === null || test(value);

const FIELDS: readonly Field[] = [
	["watcher", "a watcher's name", isNamed(isWatcherName)],
	["role", "watcher or steward", (v) => v === "watcher" || v === "steward"],
	[
		"parent",
		"an agent or user:NAME",
		isNamed((n) => isAgentName(n) || isUser(n)),
	],
	["owner", "user:NAME", isNamed(isUser)],
	["roster", "a list of names or entries with an agent_id", isRoster],
	["model", "a text", isText],
	["effort", "a text", isText],
	["runtime", "a text", maybe(isText)],
	["cadence_active", "a duration such as 5m", maybe(isDuration)],
	["cadence_idle", "a duration such as 10m", maybe(isDuration)],
	["restart_ctx_pct", "a whole number from 1 to 100", maybe(isPercent)],
	["rules", "a list of objects with a `when`", maybe(isRules)],
	[
		"override",
		"null or an object with reason, set_by, expires",
		orNull(hasTexts("reason", "set_by", "expires")),
	],
	[
		"pin_override",
		"null or an object with target, model, effort, who, when, why, expires",
		orNull(
			hasTexts("target", "model", "effort", "who", "when", "why", "expires"),
		),
	],
	["expected_inactive_roster", "a list of names", maybe(isTexts)],
	["sleeping_roster", "a list of names", maybe(isTexts)],
	["use_jev", "true or false", maybe((v) => typeof v === "boolean")],
	[
		"capture_daemon_overrides",
		"an object of daemon ids",
		maybe((v) => isObject(v) && Object.values(v).every(isText)),
	],
	[
		"created_at",
		"a time",
		maybe((v) => typeof v === "string" && parseIso(v) !== null),
	],
	["created_by", "a text", maybe(isText)],
];

function isRoster(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every((entry) => {
			const name =
				typeof entry === "string"
					? entry
					: ["agent_id", "agent", "name"]
							.map((k) => textAt(entry, k))
							.find((n) => n !== null);
			return name !== undefined && name !== null && bareName(name) !== "";
		})
	);
}

function isRules(value: unknown): boolean {
	return (
		Array.isArray(value) && value.every((rule) => textAt(rule, "when") !== null)
	);
}

function hasTexts(...keys: readonly string[]): (value: unknown) => boolean {
	return (value) => keys.every((key) => textAt(value, key) !== null);
}

function got(json: JsonObject, key: string, expected: string): string {
	const value = json[key];
	const shown = value === undefined ? "nothing" : JSON.stringify(value);
	return `${key}: expected ${expected}, got ${shown}`;
}
