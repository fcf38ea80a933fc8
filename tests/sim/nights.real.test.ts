/** Nights on the simulated machine: fixed seeds replay exactly and hold, and what once broke stays mended. */
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT, programArgv } from "../../monitor/_sys/names.ts";
import { waitUntil } from "../support/wait-until.ts";

setDefaultTimeout(300_000);

const TRACES = join(CODE_ROOT, "tests/sim/traces");
const children = new Set<Bun.Subprocess>();
afterAll(() => {
	for (const child of children) child.kill("SIGKILL");
});

/** In a process of its own: it signs at once and never lets a killed watcher's promises go on. */
async function sim(...args: string[]): Promise<string> {
	return ended(start(...args));
}

function start(...args: string[]) {
	const child = Bun.spawn(
		[...programArgv(process.execPath, "sim", args, CODE_ROOT)],
		{ env: process.env, stdout: "pipe", stderr: "pipe" },
	);
	children.add(child);
	return child;
}

async function ended(child: ReturnType<typeof start>): Promise<string> {
	const [out, err] = await Promise.all([
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
	]);
	await child.exited;
	children.delete(child);
	return out + err;
}

const digestIn = (out: string) => /digest ([0-9a-f]{16})/.exec(out)?.[1];

/** Of these two nights the second has every timer in time, and the first late ones. */
test("a seed plays the same night each time, alone or beside others, and another seed another", async () => {
	const nights = (from: string, jobs: string) =>
		sim("--from", from, "--hours", "32", "--jobs", jobs);
	const [alone, beside] = [await nights("6", "1"), await nights("6", "2")];
	expect(alone).toContain("2 nights");
	expect(alone).toContain(" 0 broken");
	expect(digestIn(alone)).toBeDefined();
	expect(digestIn(beside)).toBe(digestIn(alone) ?? "");
	const other = await sim("--seed", "4", "--hours", "1");
	expect(other).toContain("whole");
	expect(digestIn(other)).not.toBe(digestIn(alone) ?? "");
});

test("a player that is killed breaks its night, and the next one is played by another", async () => {
	const child = start("--from", "7", "--hours", "9", "--jobs", "1");
	const { pid } = child;
	const player = await waitUntil("a player", () =>
		Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")),
	);
	process.kill(player, "SIGKILL");
	const out = await ended(child);
	expect(out).toContain("seed 7: BROKEN the process that played it ended");
	expect(out).toMatch(/2 nights from seed 7, .* 1 broken/);
});

describe("what once broke stays mended", () => {
	const names = readdirSync(TRACES).map((file) => file.replace(/\.json$/, ""));
	let out = "";
	beforeAll(async () => {
		const files = names.map((name) => join(TRACES, `${name}.json`));
		out = await sim("--replay", ...files);
	});
	test.each(names.map((name) => [name]))("%s", (name) => {
		const said = out.split("\n").filter((line) => line.startsWith(`${name}: `));
		// What is broken stands above it, and is shown when this fails.
		expect(said.length > 0 ? said.join("\n") : out).toMatch(
			/^\S+: [\d.]+ h, digest [0-9a-f]{16}, whole$/,
		);
	});
});

test("a row of nights holds; a seed that does not is printed", async () => {
	// Always the same ones: fresh seeds are for whoever looks for something, and reads what they find.
	const out = await sim("--from", "6", "--hours", "700");
	expect(out).toContain(" 0 broken");
});

test("wrong arguments are told, with the way to call it", async () => {
	expect(await sim("--seed", "x")).toContain("--seed: not a number: x");
	expect(await sim("1")).toContain("unexpected argument: 1");
	expect(await sim("--frobnicate")).toContain("usage: nexus sim [--hours H]");
	expect(await sim("--replay", "/gone.json")).toContain("/gone.json: ");
	const noNight = join(CODE_ROOT, "package.json");
	expect(await sim("--replay", noNight)).toContain("--replay: no kept night");
});
