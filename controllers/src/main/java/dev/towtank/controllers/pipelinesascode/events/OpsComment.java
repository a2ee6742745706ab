package dev.towtank.controllers.pipelinesascode.events;

import java.util.Optional;
import java.util.regex.Pattern;

/// What a comment asks for, each on a line of its own.
///
/// @param type as events show it
/// @param name the run that is meant, where one is
public record OpsComment(String type, Optional<String> name) {

    public static final String NONE = "no-ops-comment";
    public static final String RETEST_ALL = "retest-all-comment";
    public static final String OK_TO_TEST = "ok-to-test-comment";
    public static final String ON_COMMENT = "on-comment";

    private static final Pattern COMMAND =
            Pattern.compile("(?m)^/(retest|test|cancel|ok-to-test)(?:[ \\t]+(\\S+))?[^\\n]*$");

    public static OpsComment of(String comment) {
        var found = COMMAND.matcher(comment);
        if (!found.find()) {
            return new OpsComment(NONE, Optional.empty());
        }
        var command = found.group(1);
        // Words behind the name, and in place of it, may be values, which are none of a name.
        var name = Optional.ofNullable(found.group(2)).filter(word -> word.indexOf('=') < 0 && word.indexOf(':') < 0);
        if (command.equals("ok-to-test")) {
            return new OpsComment(OK_TO_TEST, Optional.empty());
        }
        return new OpsComment(command + (name.isEmpty() ? "-all-comment" : "-comment"), name);
    }

    public boolean isCancel() {
        return type.startsWith("cancel");
    }
}
