/** What only a real disk can show: umasks, short writes, writers side by side. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUN_FLAGS, CODE_ROOT } from "../../monitor/_sys/names.ts";

let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "files-real-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs TypeScript that sees the door as `files` in a shell's child, after `setup` (umask, limits). */
async function inShell(setup: string, code: string): Promise<string> {
	const script = join(dir, `s${Bun.hash(code).toString(36)}.ts`);
	writeFileSync(
		script,
		`import { realFiles } from ${JSON.stringify(join(CODE_ROOT, "monitor/_sys/files.ts"))};
const files = realFiles(); const dir = ${JSON.stringify(dir)};
${code}`,
	);
	const child = Bun.spawn(
		[
			"sh",
			"-c",
			`${setup}; exec "$@"`,
			"sh",
			process.execPath,
			...BUN_FLAGS,
			script,
		],
		{ env: process.env, stdout: "pipe", stderr: "inherit" },
	);
	return (await child.stdout.text()).trim();
}

test("a log is never writable by the group, even under umask 0", async () => {
	await inShell(
		"umask 0",
		`files.append(dir + "/log", "x", { mode: 0o640 }); files.append(dir + "/plain", "x");`,
	);
	expect(statSync(join(dir, "log")).mode & 0o777).toBe(0o640);
	expect(statSync(join(dir, "plain")).mode & 0o777).toBe(0o644);
});

test("a short write is a failure, and the next append starts a line of its own", async () => {
	// A file size limit makes write(2) stop half-way, as a full disk does.
	const answer = await inShell(
		"trap '' XFSZ; ulimit -f 1",
		`files.append(dir + "/short", "a".repeat(300));
const cut = files.append(dir + "/short", "b".repeat(4000));
console.log(cut.kind, cut.code);`,
	);
	expect(answer).toBe("failed ENOSPC");
	await inShell("true", `files.append(dir + "/short", "whole");`);
	const lines = readFileSync(join(dir, "short"), "utf8").split("\n");
	expect(lines[0]).toBe("a".repeat(300));
	expect(lines[1]).toMatch(/^b+$/);
	expect(lines.slice(2)).toEqual(["whole", ""]);
});

test("an atomic write that does not fit leaves the old file and no temporary one", async () => {
	writeFileSync(join(dir, "state"), "old");
	const answer = await inShell(
		"trap '' XFSZ; ulimit -f 1",
		`console.log(files.writeAtomic(dir + "/state", "b".repeat(9000)).kind);`,
	);
	expect(answer).toBe("failed");
	expect(readFileSync(join(dir, "state"), "utf8")).toBe("old");
	expect(readdirSync(dir).filter((name) => name.includes(".tmp."))).toEqual([]);
});

test("lines of writers side by side never mix", async () => {
	const writer = (who: string) =>
		inShell(
			"true",
			`for (let i = 0; i < 200; i++) files.append(dir + "/shared", ${JSON.stringify(who)}.repeat(3000));`,
		);
	await Promise.all(["a", "b", "c"].map(writer));
	const lines = readFileSync(join(dir, "shared"), "utf8").split("\n");
	const isWhole = (line: string) => /^(a{3000}|b{3000}|c{3000})$/.test(line);
	expect(lines.filter(isWhole)).toHaveLength(600);
	// A tail that another process is just writing may be sealed by mistake: that costs an empty line.
	expect(lines.filter((line) => !isWhole(line)).join("")).toBe("");
});

test.each([
	["too deep for the sockets in it", () => join(dir, "d".repeat(60))],
	["not there", () => join(dir, "none")],
	["no whole path", () => "tmp"],
])(
	"a folder for temporary files that is %s is passed over",
	async (_, folder) => {
		const asked = folder();
		if (asked.includes("ddd")) mkdirSync(asked);
		const made = await inShell(
			`export TMPDIR='${asked}'`,
			`console.log(files.makeTempDir("nexus-x-"));`,
		);
		expect(made).toMatch(/^\/tmp\/nexus-x-\w{6}$/);
		rmSync(made, { recursive: true });
	},
);
