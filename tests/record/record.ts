#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Records screens of the real Claude Code and tells which of them the reader gets right.
 *
 *   tests/record/record.ts [--version V]... [--size CxR]... [--env NAME=VALUE]... [--only PATTERN] [--save] [--show]
 *
 * Default: the release of node_modules at 160x45. Another version is installed into a temporary
 * folder. `--env CI=true` records what it draws without colours, `--env FORCE_COLOR=1` with sixteen. `--save` writes captures below tests/fixtures/claude-code, `--show` prints each screen.
 * Exit 1 when any scene is read wrong.
 */
import minimist from "minimist";
import { binaryOf } from "./binary.ts";
import { type Outcome, playAct } from "./play.ts";
import { saveCapture } from "./save.ts";
import { ACTS } from "./scenes/index.ts";
import { renderTable } from "./table.ts";

const args = minimist(process.argv.slice(2), {
	string: ["version", "size", "env", "only"],
	boolean: ["save", "show"],
});
const list = (value: unknown, otherwise: string): string[] =>
	value === undefined ? [otherwise] : [value].flat().map(String);

const env = Object.fromEntries(
	[args.env ?? []].flat().map((pair) => String(pair).split("=", 2)),
);
const only = new RegExp(args.only ?? "");
const outcomes: Outcome[] = [];
for (const version of list(args.version, "installed")) {
	const binary = await binaryOf(version);
	for (const size of list(args.size, "160x45")) {
		const [columns = 160, rows = 45] = size.split("x").map(Number);
		for (const act of ACTS) {
			const scenes = act.scenes.filter((s) =>
				only.test(`${act.name}/${s.name}`),
			);
			if (scenes.length === 0) continue;
			const place = { binary, columns, rows, env };
			// A scene may need those before it: the whole act is played, only the wanted are told.
			for (const outcome of await playAct(act, place)) {
				if (!only.test(`${act.name}/${outcome.scene}`)) continue;
				outcomes.push(outcome);
				console.log(describe(outcome));
				if (args.show && outcome.kind !== "unreached")
					console.log(outcome.plain);
				if (args.save) await saveCapture(outcome);
			}
		}
	}
}
console.log(renderTable(outcomes));
process.exit(outcomes.some((o) => o.kind === "wrong") ? 1 : 0);

function describe(o: Outcome): string {
	const head = `${o.version} ${o.size} ${o.act}/${o.scene}: ${o.kind}`;
	if (o.kind === "unreached") return `${head} (${o.why})`;
	return `${head} [session ${o.session}] ${o.line.slice(0, 200)}`;
}
