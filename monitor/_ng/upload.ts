/** `ng upload <local-path>`: a file into the asset repository; its address on stdout (contract 05 §11). */
import { readArguments } from "./arguments.ts";
import { maxAssetBytes } from "./asset-size.ts";
import { tryHub } from "./hub.ts";
import { readLocalFile } from "./local-file.ts";
import { publish } from "./publish.ts";
import type { NgContext, NgVerb } from "./verb.ts";

const NO_IDENTITY_RC = 2;

/** 0 printed, 1 usage or file, 2 no identity, 3 GitHub (trying again is safe), 7 wrong destination. */
export const run: NgVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--issue": "value",
				"--repo-path": "text",
				"--shape": "value",
				"--message": "value",
				"--asset-repo": "value",
				"--repo": "value",
			},
			maxPositionals: 2,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [local, surplus] = cli.positionals;
	if (local === undefined || local === "" || surplus !== undefined)
		return explain(local, surplus, ctx);
	const shape = cli.value("--shape") ?? "pin";
	if (shape !== "pin" && shape !== "latest") {
		err("--shape is pin or latest");
		return 1;
	}
	const hub = await tryHub(ctx);
	if (hub === "no-config") return 1;
	if (hub === "no-identity") return NO_IDENTITY_RC;
	const max = maxAssetBytes(doors.proc.env);
	const file = readLocalFile(doors, local, hub.settings, max);
	if (file.kind !== "ok") {
		const why = file.kind === "absent" ? "no such file" : file.why;
		err(`upload: ${local}: ${why}`);
		return 1;
	}
	const published = await publish(
		{
			local,
			shape,
			bytes: file.bytes,
			issue: cli.value("--issue") ?? null,
			repoPath: cli.value("--repo-path") ?? null,
			message: cli.value("--message") ?? null,
			restated: cli.value("--asset-repo") ?? cli.value("--repo") ?? null,
		},
		hub,
		ctx,
	);
	if (published.kind === "failed") return published.rc;
	ctx.out(published.url);
	return 0;
};

/** `ng upload report 846` once made a file of the name that the issue's folder would have had. */
function explain(
	local: string | undefined,
	surplus: string | undefined,
	{ err }: NgContext,
): 1 {
	if (!local) err("upload needs the path of a file (usage: ng upload --help)");
	else if (surplus !== undefined && /^\d+$/.test(surplus))
		err(`upload takes one path; did you mean --issue ${surplus}?`);
	else err("upload takes one path: flags start with --");
	return 1;
}
