/** Claude Code's program of any release: npm, into a temporary folder, never global. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Binary {
	readonly version: string;
	readonly path: string;
}

const PACKAGE = "@anthropic-ai/claude-code";
const ROOT = resolve(import.meta.dir, "../..");

/** `installed` = the release of node_modules. Throws when npm has no such version. */
export async function binaryOf(version: string): Promise<Binary> {
	if (version === "installed") return found(ROOT);
	const prefix = join(tmpdir(), "nexus-record", version);
	if (!existsSync(join(prefix, "node_modules", PACKAGE))) {
		mkdirSync(prefix, { recursive: true });
		const npm = Bun.spawnSync(
			[
				"npm",
				"install",
				"--prefix",
				prefix,
				"--no-audit",
				"--no-fund",
				`${PACKAGE}@${version}`,
			],
			{ env: process.env, cwd: prefix, stderr: "pipe" },
		);
		if (npm.exitCode !== 0) throw new Error(npm.stderr.toString());
	}
	return found(prefix);
}

function found(root: string): Binary {
	const manifest = join(root, "node_modules", PACKAGE, "package.json");
	const { version } = JSON.parse(readFileSync(manifest, "utf8"));
	return { version, path: join(root, "node_modules/.bin/claude") };
}
