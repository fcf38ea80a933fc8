import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { findThrum } from "../../monitor/_fleet/thrum/program.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { fleetConformance } from "./conformance.ts";
import { VERBS } from "./stand-in/grammar.ts";

setDefaultTimeout(60_000);

describe("local", () => fleetConformance("local"));
describe("the stand-in thrum", () => fleetConformance("thrum"));
describe("the shim", () => fleetConformance("shim"));

const doors = { files: realFiles(), proc: realProc() };
const real = findThrum(doors, "thrum");

describe.if(real.kind === "found")("the thrum on PATH", () => {
	test.each(VERBS)("knows every flag of `$words`", ({ words, flags }) => {
		const path = real.kind === "found" ? real.path : "";
		const ran = Bun.spawnSync([path, ...words.split(" "), "--help"], {
			env: process.env,
		});
		const help = ran.stdout.toString() + ran.stderr.toString();
		expect(Object.keys(flags).filter((flag) => !help.includes(flag))).toEqual(
			[],
		);
	});
});
