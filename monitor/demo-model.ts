#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** The demo's model API, a process of its own: it outlives `./nexus demo` until the demo is stopped. */
import { startModelServer } from "./_nexus/demo/model/server.ts";
import { demoScript } from "./_nexus/demo/script.ts";
import { demoWorldAt } from "./_nexus/demo/world.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

const USAGE =
	"usage: demo-model.ts <root of a demo>   (./nexus demo starts it)";
const [root = ""] = process.argv.slice(2);
if (root === "--help" || root === "-h") {
	console.log(USAGE);
	process.exit(0);
}
if (!root.startsWith("/")) {
	complain(USAGE);
	process.exit(1);
}
const { clock, files } = realDoors();
const world = demoWorldAt(root);
const server = startModelServer({ script: demoScript(world), clock });
files.writeAtomic(world.modelPort, `${server.port}\n`);
