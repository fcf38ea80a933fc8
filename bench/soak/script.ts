/** What the models say in a soak: an orchestrator that acts on whatever it was told, and workers that come to their fates. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import type {
	ModelReply,
	ModelRule,
} from "../../tests/support/model-server.ts";
import type { Asked, Ledger } from "./ledger.ts";
import { FUNCTIONS } from "./shell.ts";
import { namedIn } from "./told.ts";

export interface ScriptFacts {
	readonly ledger: Ledger;
	root(): string;
	/** The bot has marked the comment so. */
	isMarked(id: number, content: "eyes" | "rocket"): boolean;
	/** A worker that carries `crash` is at its work. */
	onCrash(asked: Asked): void;
	/** 0 to 1. */
	chance(): number;
}

/** Claude Code asks the model once more before it gives a turn up. */
const TRIES = 2;
const LATE_MS = 60_000;
const ERRAND = /Errand (\w+) of comment (\d+)(?![\s\S]*Errand \w+ of comment)/;

export function soakRules(facts: ScriptFacts): readonly ModelRule[] {
	const refused = new Map<string, number>();
	const memory: Memory = {
		told: new Set(),
		requests: new Set(),
		begun: new Set(),
	};
	return [
		{
			when: ERRAND,
			replies: (fate = "", id = "") => {
				const asked = facts.ledger.asked.find((one) => one.id === Number(id));
				if (asked === undefined) return [];
				memory.begun.add(asked.id);
				return work(facts, asked, fate, refused);
			},
		},
		{
			when: /^([\s\S]*)$/,
			replies: (text = "") =>
				orchestrate(facts, memory, [text, ...namedIn(text)].join("\n")),
		},
	];
}

/** What the orchestrator has in its head; it outlives it, as the session does. */
interface Memory {
	readonly told: Set<number>;
	readonly requests: Set<string>;
	/** Comments whose worker has begun. */
	readonly begun: Set<number>;
}

/** One call a turn: a later report may come between two, and the rest would be forgotten. */
function orchestrate(
	facts: ScriptFacts,
	memory: Memory,
	text: string,
): readonly ModelReply[] {
	for (const [, id] of text.matchAll(/ id=(\d+) author=/g))
		memory.told.add(Number(id));
	const requests = [...text.matchAll(/^request=(\S+)/gm)].map(
		([, id]) => id ?? "",
	);
	const open = facts.ledger.asked.filter(
		({ id }) => memory.told.has(id) && !facts.isMarked(id, "rocket"),
	);
	const lines = [
		...open.flatMap((asked) => takeOn(facts, memory, asked)),
		...requests.map(
			(id) => `again ng request reply ${shellQuote(id)} --message 'Go on.'`,
		),
		...decisions(text, open),
		...stopped(facts, text, open),
	];
	if (lines.length === 0) return [];
	return [bash("Act on the report", lines), { kind: "text", text: "Done." }];
}

function takeOn(
	facts: ScriptFacts,
	memory: Memory,
	asked: Asked,
): readonly string[] {
	const { id, window, fate } = asked;
	const eyes = facts.isMarked(id, "eyes")
		? []
		: [`again ng process ${id} >/dev/null`];
	if (window === null) return [...eyes, `again ng react ${id} rocket`];
	if (memory.begun.has(id)) return eyes;
	// The hand-over died with whoever made it.
	const mark = handedMark(facts.root(), id);
	const at = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
	const late = at !== undefined && Date.now() - at > LATE_MS;
	return [
		...eyes,
		...(late ? [`rmdir ${shellQuote(mark)}`] : []),
		`hand ${window} ${id} ${fate}`,
	];
}

/** A command that nobody allows: the dialog is closed, the worker told another way. Other questions are taken note of. */
function decisions(text: string, open: readonly Asked[]): readonly string[] {
	const rows = text.matchAll(/^window=(\S+) fp=(\S+) kind=(\S+)/gm);
	return [...rows].flatMap(([, window = "", fp = "", kind]) => {
		const asked = open.find((one) => one.window === window);
		if (kind !== "permission_prompt")
			return [`ng decision-ack ${window} ${fp} --reason seen`];
		return [
			`refuse ${window} ${fp}`,
			...(asked === undefined ? [] : [`handagain ${window} ${asked.id}`]),
		];
	});
}

/** As the skills say: an idle worker is told to go on, a dead one resumed, one that is done closed now and then. */
function stopped(
	facts: ScriptFacts,
	text: string,
	open: readonly Asked[],
): readonly string[] {
	const rows = [
		...text.matchAll(/^ {2}- (\S+) (.*)$/gm),
		...text.matchAll(/^-(w\d+) (bell=)\d$/gm),
		...text.matchAll(/(w\d+) \((wrap-up-)/g),
	].map(([, window = "", says = ""]) => ({ window, says }));
	return rows.flatMap(({ window, says }) => {
		const asked = open.find((one) => one.window === window);
		if (/^wrap/.test(says) && asked === undefined)
			return facts.chance() < 0.15 ? [`retire ${window}`] : [];
		if (asked === undefined || says.includes("(overlay")) return [];
		if (says.startsWith("pane-absent")) return [`revive ${window} ${asked.id}`];
		return /^(idle |interrupted|wrapped up|bell=)/.test(says)
			? [`handagain ${window} ${asked.id}`]
			: [];
	});
}

function work(
	facts: ScriptFacts,
	asked: Asked,
	fate: string,
	refused: Map<string, number>,
): readonly ModelReply[] {
	const { id, issue, window } = asked;
	const handOver = [
		bash("Report and hand over", [`report ${window} ${id} ${issue}`]),
		{ kind: "text", text: "Handed over." },
	] as const;
	const { ledger } = facts;
	const note = { window: window ?? "", at: Date.now() };
	switch (fate) {
		case "request":
			return [bash("Ask", [`ask ${window} ${id}`]), ...handOver];
		case "permission":
			if (
				!ledger.permissions.some(
					(one) => one.window === window && note.at - one.at < 1000,
				)
			)
				ledger.permissions.push(note);
			return [
				bash("Publish it", ["npm publish --access public"], { bare: true }),
			];
		case "refusal": {
			const tries = (refused.get(`${id}`) ?? 0) + 1;
			refused.set(`${id}`, tries);
			if (tries > TRIES) return handOver;
			if (tries === TRIES) ledger.refusals.push({ ...note, id });
			return [{ kind: "error", status: 429, message: "Too many requests" }];
		}
		case "crash":
			facts.onCrash(asked);
			return [{ kind: "hang", text: "Well." }];
		default:
			return handOver;
	}
}

/** A folder: made by one, seen by all. */
function handedMark(root: string, id: number): string {
	return join(root, "work", `handed-${id}`);
}

function bash(
	description: string,
	lines: readonly string[],
	opts: { readonly bare?: boolean } = {},
): ModelReply {
	const all = opts.bare ? lines : [FUNCTIONS, ...lines];
	const input = { description, command: all.join("\n"), timeout: 600_000 };
	return { kind: "tool", name: "Bash", input };
}
