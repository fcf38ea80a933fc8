import { expect, test } from "bun:test";
import { runWriteProbe } from "../../monitor/_write-probe/run.ts";
import { fakeDoors } from "../fakes/doors.ts";

const SANDBOX = { SANDBOX_ACTIVE: "1", SANDBOX_PROJECT_DIR: "/project" };

function probe(
	argv: readonly string[],
	env: Readonly<Record<string, string>> = {},
) {
	const { files } = fakeDoors();
	files.seedDir("/ok");
	files.seedDir("/ro");
	files.faults.fail({ ops: ["probe"], path: "/ro", code: "EROFS" });
	const out: string[] = [];
	const err: string[] = [];
	const code = runWriteProbe(argv, {
		files,
		env,
		cwd: "/ok",
		out: (line) => out.push(line),
		err: (line) => err.push(line),
	});
	return { code, out: out.join("\n"), err: err.join("\n") };
}

test.each([
	[["/ok"], 0],
	[["sub/new", "/ok/other"], 0],
	[["/ro"], 3],
	[["/ro/new"], 3],
	[["/ok", "/ro", "/ok"], 3],
	[[], 2],
	[["--quiet"], 2],
	[[""], 2],
	[["/ok", ""], 2],
	[["--loud", "/ok"], 2],
	[["--help"], 0],
] as const)("%j exits with %i", (argv, code) => {
	expect(probe(argv).code).toBe(code);
});

test("every folder that takes no file is named with the reason, and the others are still tried", () => {
	const { out, err } = probe(["/ro/a", "/ok/b", "/ro/c"]);
	expect(err).toContain("/ro/a is not writable: EROFS");
	expect(err).toContain("/ro/c is not writable");
	expect(out).toContain("/ok/b is writable (tried in /ok)");
});

test("inside a sandbox the remedy is a grant, elsewhere it is permissions", () => {
	expect(probe(["/ro"], SANDBOX).err).toContain("add /ro to the writable");
	expect(probe(["/ro"]).err).toContain("owner and the mode");
	expect(probe(["/ro"], { SANDBOX_ACTIVE: "1" }).err).toContain("owner");
});

test("--quiet leaves the verdicts on what failed, and nothing else", () => {
	const { out, err } = probe(["--quiet", "/ok", "/ro"]);
	expect(out).toBe("");
	expect(err.split("\n")).toHaveLength(1);
});
