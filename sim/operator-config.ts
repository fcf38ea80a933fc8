/** The configuration that the operator of the simulated machine wrote. */
import { GITHUB_CONFIG } from "./github.ts";
import { ROOT } from "./place.ts";

export const CONFIG_PATH = `${ROOT}/config/nexus.yml`;

export function operatorConfig(maxSleepSeconds: number): string {
	return `${GITHUB_CONFIG}monitor:
  scheduler:
    max_sleep_seconds: ${maxSleepSeconds}
  snapshot:
    git_enabled: false
  # There is no checkout in this world.
  clone_drift:
    enabled: false
  version_restart:
    enabled: false
`;
}
