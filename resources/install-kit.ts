#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `install-kit`: writes a kit's programs as files that run from any folder (contract 09 §2.3). */
import { resolve } from "node:path";
import { installKit, isKitName, KITS } from "../monitor/_fleet/install.ts";
import { parseCli } from "../monitor/_sys/cli.ts";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { realDoors } from "../monitor/_sys/real-doors.ts";

const USAGE = `usage: install-kit.ts KIT FOLDER

  KIT  ${Object.entries(KITS)
		.map(([kit, names]) => `${kit}: ${names.join(", ")}`)
		.join("\n       ")}`;

if (import.meta.main) {
	const said = await main(process.argv.slice(2));
	const stream = said.exitCode === 0 ? process.stdout : process.stderr;
	stream.write(`${said.text}\n`);
	process.exitCode = said.exitCode;
}

async function main(
	argv: readonly string[],
): Promise<{ readonly exitCode: 0 | 1 | 2; readonly text: string }> {
	const cli = parseCli(argv, { flags: {}, maxPositionals: 2 });
	if (cli.kind === "help") return { exitCode: 0, text: USAGE };
	if (cli.kind === "refused")
		return { exitCode: 2, text: `install-kit: ${cli.message}\n${USAGE}` };
	const [kit, folder] = cli.positionals;
	if (kit === undefined || folder === undefined || !isKitName(kit))
		return { exitCode: 2, text: USAGE };
	const doors = realDoors({ logPrefix: "install-kit" });
	const dest = resolve(folder);
	const made = doors.files.mkdir(dest, 0o700);
	if (made.kind !== "ok")
		return { exitCode: 1, text: `install-kit: ${made.reason}` };
	const done = await installKit(doors, CODE_ROOT, kit, dest);
	return done.kind === "ok"
		? {
				exitCode: 0,
				text: done.files.map((path) => `installed ${path}`).join("\n"),
			}
		: { exitCode: 1, text: `install-kit: ${done.why}` };
}
