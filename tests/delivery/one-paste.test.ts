import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");

/** Files that hold `text`, relative to the root. */
function filesWith(text: string): string[] {
	const files = [
		...new Bun.Glob("{monitor,config,resources}/**/*.ts").scanSync(ROOT),
	];
	return files
		.filter((file) => readFileSync(resolve(ROOT, file), "utf8").includes(text))
		.sort();
}

test("one place pastes, and it is the primitive that looks before and after", () => {
	const door = [
		"monitor/_sys/doors-tmux.ts",
		"monitor/_sys/tmux-commands.ts",
		"monitor/_sys/tmux-refusals.ts",
	];
	const pastes = filesWith('"paste-buffer"');
	expect(pastes.filter((file) => !door.includes(file))).toEqual([
		"monitor/_delivery/submit.ts",
	]);
});
