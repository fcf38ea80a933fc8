/** What each verb's `--help` mentions. */
export const HELP: Readonly<Record<string, string>> = {
	"tmux send": "thrum tmux send <agent> [text]\n  --keys string\n",
	"monitor start": "thrum monitor start\n  --notify-on-success\n",
	"tmux create": "thrum tmux create\n  --model string\n  --effort string\n",
	"tmux launch": "thrum tmux launch\n  --model string\n  --effort string\n",
	"tmux capture": "thrum tmux capture <agent>\n  --format string\n",
	team: "thrum team\n  --offline\n  --all\n",
	detect: "thrum detect\n",
	state: "thrum state\n",
};
