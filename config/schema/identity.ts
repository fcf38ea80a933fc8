/** Who the operator is, which repository, which bot (contract 07 §11.1). */
import { bool, path, str, text, unset, unsetInteger, url } from "../leaves.ts";

export const identity = {
	"nexus.root": text("path", {
		env: "NEXUS_ROOT",
		derived: "the checkout itself",
		doc: "Path of this checkout; state and reports hang off it.",
		template: "/path/to/nexus",
		required: "identity",
		remedy: "the absolute path of this checkout",
	}),
	"nexus.node_module": str("nodejs", {
		env: "NEXUS_NODE_MODULE",
		doc: "Environment module that provides node.",
		unread: "the installer takes the node that is on PATH",
	}),
	"github.user_login": text("login", {
		env: "MONITOR_USER_LOGIN",
		doc: "The only login whose comments are directives; also the reviewer of the bot's pull requests.",
		template: "<your-github-username>",
		required: "identity",
		remedy: "your GitHub login, the single authorised user",
	}),
	"github.repo": text("repo", {
		env: "MONITOR_REPO",
		doc: "Your asset and issue repository, never the code repository.",
		template: "your-org/yourname-nexus-assets",
		required: "identity",
		remedy: "your asset+issue repo owner/name, never the code repo",
	}),
	"github.asset_repo": text("repo", {
		env: "NEXUS_ASSET_REPO",
		derived: "github.repo",
		doc: "Where files are uploaded.",
		notInTemplate: "follows github.repo",
	}),
	"github.bot_app_id": unset("string", {
		env: "NEXUS_BOT_APP_ID",
		doc: "Id of the GitHub App.",
		template: "0000000",
		required: "bot",
		remedy: "the GitHub App's id",
	}),
	"github.bot_installation_id": unset("string", {
		env: "NEXUS_BOT_INSTALLATION_ID",
		doc: "Id of the App's installation on github.repo, whose token is minted.",
		template: "000000000",
		required: "bot",
		remedy: "the installation id on github.repo",
	}),
	"github.bot_pem_path": unset("path", {
		env: "NEXUS_BOT_PRIVATE_KEY_PATH",
		doc: "Private key of the App, mode 0600.",
		template: "~/.claude/your-bot.pem",
		required: "bot",
		remedy: "the path of the App's private key, mode 0600",
	}),
	"github.bot_token_cache": path("~/.claude/.nexus-bot-token.json", {
		env: "NEXUS_BOT_TOKEN_CACHE",
		doc: "Cached installation token, mode 0600.",
	}),
	"github.bot_login": str("", {
		env: "MONITOR_BOT_LOGIN",
		doc: "The App's slug; matched with and without [bot].",
		template: "your-bot",
	}),
	"github.bot_git_name": unset("string", {
		emptyMeansDefault: true,
		derived: "<bot_login>[bot]",
		doc: "Author of commits; without it and without bot_login nothing is uploaded.",
	}),
	"github.bot_git_email": unset("string", {
		emptyMeansDefault: true,
		derived: "<bot_login>[bot]@users.noreply.github.com",
		doc: "E-mail of commits.",
	}),
	"github.overview_issue_number": unsetInteger({
		min: 1,
		env: "MONITOR_OVERVIEW_NUMBER",
		doc: "Pins the overview issue.",
		notInTemplate: "found by itself unless pinned",
	}),
	"github.api_url": url("https://api.github.com", {
		emptyMeansDefault: true,
		env: "NEXUS_GITHUB_API_URL",
		envMustBeGood: true,
		doc: "Where GitHub's API is; a token is sent there.",
	}),
	"github.bot_login_absent_ok": bool(false, {
		doc: "Accept an author check without bot_login.",
	}),
	"github.bot_webhook_url": unset("string", {
		doc: "For the operator's notes; never read.",
	}),
	"github.bot_webhook_secret_path": unset("path", {
		doc: "For the operator's notes; never read.",
	}),
};
