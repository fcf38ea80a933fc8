/** `ng pr view <n> [--json [f1,f2]]` (contract 05 §5.6). */
import { at } from "../../_github/json-look.ts";
import { findPull } from "../../_github/pull.ts";
import { excerpt } from "../../_sys/excerpt.ts";
import { isNumber, readArguments } from "../arguments.ts";
import { openHub, sayFailure } from "../hub.ts";
import { targetRepo } from "../target.ts";
import type { NgVerb } from "../verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		bareJsonAsText(args),
		{ flags: { "--json": "text", "--repo": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number] = cli.positionals;
	if (!isNumber(number)) {
		err(`pr view needs a number, got '${excerpt(number ?? "")}'`);
		return 1;
	}
	const json = cli.value("--json");
	const fields = json === undefined || json === "" ? [] : json.split(",");
	const bad = fields.find((field) => !/^[A-Za-z0-9_.]+$/.test(field));
	if (bad !== undefined) {
		err(`--json: not the name of a field: '${excerpt(bad)}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("read", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const found = await findPull(hub.gitHub, repo, number);
	if (found.kind === "failed")
		return sayFailure(
			ctx,
			found.failure,
			`pull request ${number}: fetch failed`,
		);
	const { raw, state, author, headRef, baseRef, title } = found.value;
	if (json === undefined)
		out(
			`#${number} state=${state.toUpperCase()} author=${author} ${headRef}->${baseRef} title=${title}`,
		);
	else
		out(
			JSON.stringify(fields.length === 0 ? sorted(raw) : selected(raw, fields)),
		);
	return 0;
};

/** `--json` may stand without a list: a word behind it that is a number, or a flag, is none. */
function bareJsonAsText(args: readonly string[]): readonly string[] {
	return args.map((word, i) => {
		const next = args[i + 1];
		const isBare =
			word === "--json" &&
			(next === undefined || next.startsWith("-") || /^\d+$/.test(next));
		return isBare ? "--json=" : word;
	});
}

function selected(raw: object, fields: readonly string[]): object {
	return Object.fromEntries(
		fields.map((field) => [field, at(raw, ...field.split(".")) ?? null]),
	);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(
		members.map(([key, inner]) => [key, sorted(inner)]),
	);
}
