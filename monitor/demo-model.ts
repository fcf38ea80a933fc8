#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { startModelServer } from "./_nexus/demo/model/server.ts";
import { demoScript } from "./_nexus/demo/script.ts";
import { demoWorldAt } from "./_nexus/demo/world.ts";
/** The demo's model API, a process of its own: it outlives `./nexus demo` until the demo is stopped. Argument: the demo's root. */
import { realDoors } from "./_sys/real-doors.ts";

const { clock, files } = realDoors();
const world = demoWorldAt(process.argv[2] ?? "");
const server = startModelServer({ script: demoScript(world), clock });
files.writeAtomic(world.modelPort, `${server.port}\n`);
