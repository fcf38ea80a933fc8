/** The story that the demo tells, step by step. */

import { awaitQuestion, finishJob, ringBell } from "./changes.ts";
import { awaitEmits, isGood, readOutcome } from "./emits.ts";
import {
	furnish,
	openFleet,
	orchestratorSession,
	startModel,
} from "./fleet.ts";
import { describeOutcome } from "./narrate.ts";
import { followPanes, panesCommand } from "./panes.ts";
import { done, failed, type Stage, type Step } from "./stage.ts";
import { baselineTaken, startWatcher } from "./watcher.ts";
import { ASKER, BUILD, REPORTER } from "./world.ts";

/** More than a compose cycle of the demo: a second copy would come with the next one. */
const SECOND_COPY_WAIT_MS = 20_000;

/** Tells it to the end, or says where it broke. Leaves everything running. */
export async function tellStory(stage: Stage): Promise<Step<true>> {
	const { say, print } = stage;
	furnish(stage);
	say(`a world of its own: ${stage.world.root}`);
	const model = await startModel(stage);
	if (model.kind === "failed") return model;
	say(`a scripted model API listens on ${model.value}`);
	const panes = followPanes(stage);
	say(`as ${panesCommand()} sees the panes, from now on at each change:`);
	const fleet = await openFleet(stage, model.value, panes);
	if (fleet.kind === "failed") return fleet;
	const target = await orchestratorSession(stage);
	if (target === null) return failed("the orchestrator has no session");
	const watcher = await startWatcher(stage);
	if (watcher.kind === "failed") return watcher;
	say(`the launcher started the watcher, pid ${watcher.value}`);
	const baseline = await baselineTaken(stage);
	if (baseline.kind === "failed") return baseline;
	say("the watcher knows how things are; now things happen");

	const report = await finishJob(stage, panes);
	if (report.kind === "failed") return report;
	say(`${REPORTER} wrote its report and stopped`);
	ringBell(stage);
	say(`${BUILD} rang its bell`);
	const question = await awaitQuestion(stage, panes);
	if (question.kind === "failed") return question;
	say(`${ASKER} asks for leave; the decision waits: ${question.value}`);

	const outcome = await awaitEmits(stage, target);
	if (outcome.kind === "failed") return outcome;
	say(
		"all of it was reported; one more cycle, to see that nothing comes twice",
	);
	await stage.doors.clock.sleep(SECOND_COPY_WAIT_MS, stage.signal);
	const final = readOutcome(stage, target);
	for (const line of describeOutcome(final)) print(line);
	if (!isGood(stage.world, final))
		return failed("an emit did not arrive exactly once, whole, as one message");
	print("");
	say(
		`${final.emits.length} emits, each delivered exactly once, whole, as one user message`,
	);
	return done(true);
}
