/** The fields of a watcher's params: what each may hold, and what it is for (contract 09 §9). Data. */
import { isObject, textAt } from "../json-object.ts";
import { bareName, isAgentName, isUser, isWatcherName } from "./names.ts";
import { parseIso } from "./time.ts";

export interface ParamField {
	readonly key: string;
	/** What it may hold, as told to whoever wrote something else. */
	readonly expected: string;
	readonly meaning: string;
	/** Of `undefined`: may it be left out? */
	readonly isRight: (value: unknown) => boolean;
}

type Test = ParamField["isRight"];

const isText: Test = (value) => typeof value === "string" && value !== "";
const isDuration: Test = (value) =>
	typeof value === "string" && /^\d{1,9}[smhd]$/.test(value);
const isPercent: Test = (value) =>
	Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isNamed =
	(test: (name: string) => boolean): Test =>
	(value) =>
		typeof value === "string" && test(bareName(value));
const maybe =
	(test: Test): Test =>
	(value) =>
		value === undefined || test(value);
const orNull =
	(test: Test): Test =>
	(value) =>
		value === undefined || value === null || test(value);

export const PARAM_FIELDS: readonly ParamField[] = [
	field("watcher", "a watcher's name", "Its own name.", isNamed(isWatcherName)),
	field(
		"role",
		"watcher or steward",
		"A steward's members send it their questions, too.",
		(v) => v === "watcher" || v === "steward",
	),
	field(
		"parent",
		"an agent or user:NAME",
		"Who is told.",
		isNamed((n) => isAgentName(n) || isUser(n)),
	),
	field(
		"owner",
		"user:NAME",
		"The human, for what only a human can settle.",
		isNamed(isUser),
	),
	field(
		"roster",
		"a list of names or entries with an agent_id",
		"Whom it looks after. An entry: agent_id, and of hostname, tmux_session, runtime what is known; hostname and tmux_session together are where it is found over SSH, whatever others say.",
		isRoster,
	),
	field("model", "a text", "What it runs on; a restart pins it again.", isText),
	field("effort", "a text", "The same.", isText),
	field("runtime", "a text", "The program it runs in.", maybe(isText)),
	field(
		"cadence_active",
		"a duration such as 5m",
		"How often it looks while something happens, by its own judgement; nothing is scheduled for it.",
		maybe(isDuration),
	),
	field(
		"cadence_idle",
		"a duration such as 10m",
		"How often its monitor ticks. A change here changes no schedule: change the monitor, too.",
		maybe(isDuration),
	),
	field(
		"restart_ctx_pct",
		"a whole number from 1 to 100",
		"Used context at which it restarts itself, and warns a member.",
		maybe(isPercent),
	),
	field(
		"rules",
		"a list of objects with a `when`",
		"Standing rules that widen a cadence: when, and of cadence_idle, cadence_active, note what applies. The only ones that count.",
		maybe(isRules),
	),
	field(
		"override",
		"null or an object with reason, set_by, expires",
		"A widening for a while: cadence_idle, cadence_active. Past its end, or with an end that is no time, it is gone.",
		orNull(hasTexts("reason", "set_by", "expires")),
	),
	field(
		"pin_override",
		"null or an object with target, model, effort, who, when, why, expires",
		"A change of a member's model on purpose.",
		orNull(
			hasTexts("target", "model", "effort", "who", "when", "why", "expires"),
		),
	),
	field(
		"expected_inactive_roster",
		"a list of names",
		"Absent on purpose: a failed capture of one is not escalated.",
		maybe(isTexts),
	),
	field(
		"sleeping_roster",
		"a list of names",
		"The same, for those who were put to rest.",
		maybe(isTexts),
	),
	field(
		"use_jev",
		"true or false",
		"Lets the roster snapshot ask a remote classifier whether a tick may stay quiet.",
		maybe((v) => typeof v === "boolean"),
	),
	field(
		"capture_daemon_overrides",
		"an object of daemon ids",
		"By agent: the daemon that is asked for its pane (thrum alone).",
		maybe((v) => isObject(v) && Object.values(v).every(isText)),
	),
	field(
		"overnight_gate",
		"null or an object",
		"Kept for later; nothing reads it.",
		orNull(isObject),
	),
	field(
		"created_at",
		"a time",
		"When it was started.",
		maybe((v) => typeof v === "string" && parseIso(v) !== null),
	),
	field("created_by", "a text", "Who started it.", maybe(isText)),
];

function field(
	key: string,
	expected: string,
	meaning: string,
	isRight: Test,
): ParamField {
	return { key, expected, meaning, isRight };
}

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

function hasTexts(...keys: readonly string[]): Test {
	return (value) => keys.every((key) => textAt(value, key) !== null);
}
