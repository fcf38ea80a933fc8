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
	const door = ["monitor/_sys/doors-tmux.ts", "monitor/_sys/tmux-commands.ts"];
	const pastes = filesWith('"paste-buffer"');
	expect(pastes.filter((file) => !door.includes(file))).toEqual([
		"monitor/_delivery/submit.ts",
	]);
});

test("delivery presses no key but the pair that opens the box and Enter", () => {
	const sends = filesWith('"send-keys"');
	expect(sends.filter((file) => file.includes("_delivery/"))).toEqual([
		"monitor/_delivery/submit.ts",
	]);
	const submit = readFileSync(
		resolve(ROOT, "monitor/_delivery/submit.ts"),
		"utf8",
	);
	const keys = [...submit.matchAll(/send\(job, \[(.*?)\]/g)].map((m) => m[1]);
	expect(keys).toEqual(['"i", "BSpace"', '"Enter"']);
});
