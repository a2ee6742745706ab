package dev.towtank.controllers.pipelinesascode.source;

import java.util.List;

/// What a forge is told about a commit.
///
/// @param context the name under which it shows it
/// @param title a few words
/// @param text more of them, in Markdown; empty where there is no more to say
/// @param url where people see it; empty where there is no such place
/// @param run the name of the run; empty before there is one
/// @param checkRun by which GitHub knows what it was told before; empty where it was told nothing
/// @param findings lines of files that the log of a failed step complains about
record Word(
        String sha,
        State state,
        String context,
        String title,
        String summary,
        String text,
        String url,
        String run,
        String checkRun,
        List<Finding> findings) {

    private static final int LONGEST_TEXT = 60_000;

    enum State {
        PENDING,
        RUNNING,
        SUCCESS,
        FAILURE,
        CANCELLED,
        NEUTRAL;

        boolean isOver() {
            return this != PENDING && this != RUNNING;
        }
    }

    record Finding(String file, long line, String message) {}

    Word {
        findings = List.copyOf(findings);
        text = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
    }

    /// Short, about no run yet.
    static Word of(String sha, State state, String context, String title, String text) {
        var summary = switch (state) {
            case PENDING -> "is waiting for approval.";
            case RUNNING -> "is running.";
            case SUCCESS -> "has <b>successfully</b> validated your commit.";
            case FAILURE -> "has <b>failed</b>.";
            case CANCELLED -> "has been <b>cancelled</b>.";
            case NEUTRAL -> "<b>Completed</b>";
        };
        return new Word(sha, state, context, title, context + " " + summary, text, "", "", "", List.of());
    }

    Word about(String name, String address, String known) {
        return new Word(sha, state, context, title, summary, text, address, name, known, findings);
    }

    Word with(List<Finding> more) {
        return new Word(sha, state, context, title, summary, text, url, run, checkRun, more);
    }
}
