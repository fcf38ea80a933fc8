/** The bell's gate on a worker's PATH, as a program (contract 06 §15). */
import { afterAll, expect, test } from "bun:test";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOTIFY_WRAPPER_DIR } from "../../monitor/_sys/bell.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

const OWN = join(CODE_ROOT, NOTIFY_WRAPPER_DIR);
const home = mkdtempSync(join(tmpdir(), "nexus-notify-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const REAL = folder("real");
const RANG = join(home, "rang");
writeFileSync(
	join(REAL, "sandbox-notify"),
	`#!/bin/sh\nprintf '%s|' "$#" "$@" >"${RANG}"\n`,
);
chmodSync(join(REAL, "sandbox-notify"), 0o755);

/** What the real one was given, its number of arguments first; null: it was not run. */
function ring(
	args: readonly string[],
	folders: readonly string[],
	env: Readonly<Record<string, string>> = {},
): string | null {
	rmSync(RANG, { force: true });
	const PATH = [...folders, "/usr/bin", "/bin"].join(":");
	const ran = Bun.spawnSync([join(OWN, "sandbox-notify"), ...args], {
		env: { PATH, ...env },
		timeout: 5_000,
	});
	expect(ran.exitCode).toBe(0);
	return existsSync(RANG) ? readFileSync(RANG, "utf8") : null;
}

function folder(name: string): string {
	const dir = join(home, name);
	mkdirSync(dir);
	return dir;
}

const WORKER = { NEXUS_WORKER_WINDOW: "bench-a" };
const MUTED = { ...WORKER, NEXUS_NOTIFY_SUPPRESS_MSG: "Done; really" };
test.each<[string, readonly string[], Record<string, string>, string | null]>([
	["a worker's idle ring is dropped", ["Needs attention"], WORKER, null],
	["in words, too", ["Needs", "attention"], WORKER, null],
	["the operator's own goes on", ["Needs attention"], {}, "1|Needs attention|"],
	["any other text goes on", ["Blocked: $(x) *"], WORKER, "1|Blocked: $(x) *|"],
	["arguments stay apart", ["a b", ""], WORKER, "2|a b||"],
	["the text to drop can be another", ["Done; really"], MUTED, null],
	[
		"then the usual one rings",
		["Needs attention"],
		MUTED,
		"1|Needs attention|",
	],
])("%s", (_, args, env, rang) => {
	expect(ring(args, [OWN, REAL], env)).toBe(rang);
});

test("with no real one behind it nothing rings, and nothing fails", () =>
	expect(ring(["x"], [OWN, OWN, join(home, "none"), ""])).toBeNull());

test("wrappers of two checkouts pass the ring on instead of calling each other", () => {
	const other = folder("other");
	copyFileSync(join(OWN, "sandbox-notify"), join(other, "sandbox-notify"));
	expect(ring(["x"], [OWN, other, REAL])).toBe("1|x|");
	expect(ring(["x"], [other, OWN, REAL])).toBe("1|x|");
});
