/** What people and Apps do at GitHub, whether over HTTP or by the hand of a test. Every act leaves its trace in the delivery log. */
export {
	comment,
	createRepo,
	editComment,
	openIssue,
	react,
	setIssueState,
} from "./acts/conversation.ts";
export { attach, commitFile } from "./acts/files.ts";
export { openPull, reviewComment, submitReview } from "./acts/review.ts";
