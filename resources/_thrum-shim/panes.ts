/** `tmux capture`, `tmux send` and `detect` of the shim (contract 09 §5, §6.5). */
import type { SendVerdict } from "../../monitor/_fleet/fleet.ts";
import { parseKeys } from "../../monitor/_fleet/keys.ts";
import { isCompactCommand } from "../../monitor/_fleet/runtimes.ts";
import { bareName } from "../../monitor/_state/fleet/names.ts";
import {
	type Answer,
	answer,
	type Command,
	count,
	error,
	JSON_FLAG,
	type ShimContext,
	said,
	usage,
} from "./command.ts";
import { docRow, json } from "./print.ts";

const DEFAULT_LINES = 50;

export const PANE_COMMANDS: readonly Command[] = [
	{
		words: "tmux capture",
		args: "AGENT [--lines N] [--format text|json]   (an agent's name, or that of its session)",
		flags: {
			"--lines": "value",
			"--daemon-id": "value",
			"--format": "value",
			...JSON_FLAG,
		},
		needs: 1,
		run: async (ctx, call) => {
			const lines = count(call.value("--lines"), DEFAULT_LINES);
			if (lines === null) return usage("--lines needs a number");
			const format = call.value("--format") ?? "text";
			if (!/^(?:text|json)$/.test(format))
				return usage("--format is text or json");
			const agent = await agentOf(ctx, call.first);
			if (call.on("--json") || format === "json") {
				const doc = await ctx.fleet.captureDoc(agent, { lines });
				return { exitCode: doc.ok ? 0 : 1, out: json(docRow(doc)) };
			}
			const shot = await ctx.fleet.capture(agent, { lines });
			if (shot.ok) return said(shot.text);
			return error(
				shot.failure === "not-found"
					? `agent ${agent} not found (${shot.detail})`
					: shot.detail,
			);
		},
	},
	{
		words: "tmux send",
		args: "AGENT (--keys K1,K2,… | TEXT)   (an agent's name, or that of its session)",
		flags: { "--keys": "text" },
		needs: 1,
		takes: 2,
		run: async (ctx, call) => {
			const text = call.positionals[1];
			const keys = call.value("--keys");
			if ((keys === undefined) === (text === undefined))
				return usage("give --keys, or one text");
			const agent = await agentOf(ctx, call.first);
			if (keys !== undefined)
				return ended(await ctx.fleet.sendKeys(agent, parseKeys(keys)));
			const line = text ?? "";
			const command = isCompactCommand(line);
			return ended(await ctx.fleet.sendText(agent, line, { command }));
		},
	},
	{
		words: "detect",
		args: "--category permission --pane-file FILE --runtime RUNTIME",
		flags: {
			"--category": "value",
			"--pane-file": "value",
			"--runtime": "value",
		},
		required: ["--category", "--pane-file", "--runtime"],
		run: async ({ fleet, local }, call) => {
			if (call.value("--category") !== "permission")
				return usage("the one category is permission");
			const path = call.value("--pane-file") ?? "";
			const read = local.doors.files.read(path);
			if (read.kind !== "ok") return usage(`${path} cannot be read`);
			const runtime = call.value("--runtime") ?? "";
			return answer(await fleet.detect(read.text, runtime), (found) =>
				found === null ? { exitCode: 1 } : said(found),
			);
		},
	},
];

function ended({ exitCode, verdict, detail }: SendVerdict): Answer {
	return exitCode === 0
		? said(`${verdict}: ${detail}`)
		: error(`${verdict}: ${detail}`, exitCode);
}

/** A session's name stands for the one agent that lives in it. */
async function agentOf({ fleet }: ShimContext, who: string): Promise<string> {
	const name = bareName(who);
	const team = await fleet.team();
	if (team.kind !== "ok") return name;
	if (team.value.some((m) => m.agentId === name)) return name;
	const inside = team.value.filter((m) => m.tmuxSession === name);
	const [only] = inside;
	return only !== undefined && inside.length === 1 ? only.agentId : name;
}
