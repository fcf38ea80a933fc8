/** State rows and the version of the shim (contract 09 §5, §6.7). */
import { writeStateRow } from "../../monitor/_state/fleet/state-row.ts";
import {
	answer,
	type Command,
	error,
	JSON_FLAG,
	said,
	usage,
} from "./command.ts";
import { json } from "./print.ts";

const SHOW: Omit<Command, "words"> = {
	args: "KIND:SCOPE [--json]",
	flags: JSON_FLAG,
	needs: 1,
	run: async ({ fleet }, call) => {
		const [, kind, scope] = /^([^:]+):(.+)$/.exec(call.first) ?? [];
		if (kind === undefined || scope === undefined)
			return usage("give KIND:SCOPE");
		return answer(await fleet.stateGet(kind, scope), (value) => {
			if (value === null) return error(`state ${kind}:${scope} not found`);
			const entry = { kind, scope, value };
			return said(json(call.on("--json") ? { entry } : value));
		});
	},
};

export const STATE_COMMANDS: readonly Command[] = [
	{ words: "state show", ...SHOW },
	{ words: "state get", ...SHOW },
	{
		words: "state list",
		args: "--kind KIND [--json]",
		flags: { "--kind": "value", ...JSON_FLAG },
		required: ["--kind"],
		run: async ({ fleet }, call) => {
			const kind = call.value("--kind") ?? "";
			return answer(await fleet.stateScopes(kind), (scopes) =>
				call.on("--json")
					? said(json({ entries: scopes.map((scope) => ({ kind, scope })) }))
					: said(scopes.join("\n")),
			);
		},
	},
	{
		words: "state set",
		args: "--kind KIND --scope SCOPE --value JSON   (what is no JSON is kept as text)",
		flags: { "--kind": "value", "--scope": "value", "--value": "text" },
		required: ["--kind", "--scope", "--value"],
		run: async ({ local }, call) => {
			const kind = call.value("--kind") ?? "";
			const scope = call.value("--scope") ?? "";
			const value = parsedValue(call.value("--value") ?? "");
			const { doors, place } = local;
			const files = doors.files;
			const done = writeStateRow(files, place.thrumDir, kind, scope, value);
			return done.kind === "ok"
				? said(`state ${kind}:${scope} set`)
				: error(done.reason);
		},
	},
	{
		words: "version",
		args: "",
		run: async ({ version }) => said(`thrum-local ${version}`),
	},
];

function parsedValue(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
