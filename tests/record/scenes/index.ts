/** Every act, in the order in which they are played. */
import type { Act } from "../scene.ts";
import { BOX, STATUSLINE, VIM } from "./box.ts";
import { EDITS, ENTER_PLAN, PERMISSIONS, PLANS, QUESTIONS } from "./dialogs.ts";
import { LIMITS } from "./limits.ts";
import { QUOTED } from "./quotes.ts";
import { STARTUP } from "./startup.ts";
import { COMPACTING, DRAWN, ERRORS, RETRYING, TURNS } from "./turns.ts";
import { AGENTS, VIEWS } from "./views.ts";

export const ACTS: readonly Act[] = [
	...[BOX, VIM, STATUSLINE],
	...[TURNS, COMPACTING, ERRORS, RETRYING, ...DRAWN],
	...[PERMISSIONS, EDITS, QUESTIONS, PLANS, ENTER_PLAN],
	...[VIEWS, AGENTS, QUOTED],
	...LIMITS,
	...STARTUP,
];
