/** Every act, in the order in which they are played. */
import type { Act } from "../scene.ts";
import { BOX } from "./box.ts";
import { STATUSLINE, VIM } from "./box-modes.ts";
import { DRAWN } from "./drawn.ts";
import { COMPACTING, ERRORS, RETRYING } from "./failures.ts";
import { LIMITS } from "./limits.ts";
import { EDITS, PERMISSIONS } from "./permissions.ts";
import { ENTER_PLAN, PLANS } from "./plans.ts";
import { QUESTIONS } from "./questions.ts";
import { QUOTED } from "./quotes.ts";
import { STARTUP } from "./startup.ts";
import { TURNS } from "./turns.ts";
import { AGENTS, VIEWS } from "./views.ts";

export const ACTS: readonly Act[] = [
	...[BOX, VIM, STATUSLINE],
	...[TURNS, COMPACTING, ERRORS, RETRYING, ...DRAWN],
	...[PERMISSIONS, EDITS, QUESTIONS, PLANS, ENTER_PLAN],
	...[VIEWS, AGENTS, QUOTED],
	...LIMITS,
	...STARTUP,
];
