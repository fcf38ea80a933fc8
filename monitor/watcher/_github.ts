/** `github_poll`: stages everything that is open on GitHub, for what the delivery log missed (contract 02 §7, §8). */
import type { GitHubApp } from "../_github/app.ts";
import { snapshotGithubRaw } from "../_github/backstop.ts";
import { openGitHub } from "../_github/github.ts";
import type { TaskSpec } from "./context.ts";

/** Every 600 s; stages blocks, which a filter damps before they are told. */
export function githubPollTask(app: GitHubApp): TaskSpec {
	return {
		name: "github_poll",
		intervalSeconds: () => 600,
		class: "expensive",
		async: true,
		make:
			({ config, stateDir }) =>
			async ({ doors, signal }) => {
				const gitHub = openGitHub({ doors, app, stateDir });
				const from = { doors, gitHub, stateDir, config, signal };
				return { rc: 0, out: await snapshotGithubRaw(from) };
			},
	};
}
