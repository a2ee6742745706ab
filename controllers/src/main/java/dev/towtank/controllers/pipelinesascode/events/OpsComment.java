package dev.towtank.controllers.pipelinesascode.events;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a comment asks for, each on a line of its own.
///
/// @param type as events show it
/// @param name the run that is meant, where one is
/// @param ref the branch or tag that a comment on a commit means, as `branch:x` or `tag:x`
/// @param sha that somebody approves, where they say which
/// @param values that are given for params
public record OpsComment(
        String type, Optional<String> name, Optional<String> ref, Optional<String> sha, Map<String, String> values) {

    public static final String NONE = "no-ops-comment";
    public static final String RETEST_ALL = "retest-all-comment";
    public static final String OK_TO_TEST = "ok-to-test-comment";
    public static final String ON_COMMENT = "on-comment";

    private static final int LONGEST = 64 * 1024;
    private static final Pattern COMMAND =
            Pattern.compile("(?m)^/(retest|test|cancel)(?:[ \\t]+(\\S[^\\n]*))?[ \\t\\r]*$");
    private static final Pattern APPROVAL =
            Pattern.compile("(?:^|\\n)/ok-to-test(?:[ \\t]+([a-fA-F0-9]{7,40}))?[ \\t]*(?:\\r|\\n|$)");
    private static final Pattern VALUE = Pattern.compile("(\\w+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\"'\\s]+))");

    public OpsComment {
        values = Map.copyOf(values);
    }

    public static OpsComment of(String comment) {
        var text = comment.substring(0, Math.min(comment.length(), LONGEST));
        for (var word : new String[] {"retest", "test"}) {
            var found = command(text, word);
            if (found.isPresent()) {
                return found.get();
            }
        }
        var approval = APPROVAL.matcher(text);
        if (approval.find()) {
            return new OpsComment(
                    OK_TO_TEST,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.ofNullable(approval.group(1)),
                    values(text));
        }
        return command(text, "cancel")
                .orElseGet(() -> new OpsComment(NONE, Optional.empty(), Optional.empty(), Optional.empty(), Map.of()));
    }

    private static Optional<OpsComment> command(String text, String word) {
        var found = COMMAND.matcher(text);
        while (found.find()) {
            if (found.group(1).equals(word)) {
                var rest = Optional.ofNullable(found.group(2)).orElse("").strip();
                return Optional.of(command(word, rest, values(text)));
            }
        }
        return Optional.empty();
    }

    private static OpsComment command(String word, String rest, Map<String, String> values) {
        var name = Optional.<String>empty();
        var ref = Optional.<String>empty();
        for (var part : rest.split("\\s+", -1)) {
            if (part.startsWith("branch:")) {
                ref = Optional.of("refs/heads/" + part.substring("branch:".length()));
            } else if (part.startsWith("tag:")) {
                ref = Optional.of("refs/tags/" + part.substring("tag:".length()));
            } else if (name.isEmpty() && !part.isEmpty() && part.indexOf('=') < 0) {
                name = Optional.of(part);
            } else if (part.indexOf('=') >= 0) {
                // Values, which may hold spaces, are behind the name.
                break;
            }
        }
        var type = word + (name.isEmpty() ? "-all-comment" : "-comment");
        return new OpsComment(type, name, ref, Optional.empty(), values);
    }

    /// `key=value`, `key="two words"`, with `\"` for a quote in them.
    private static Map<String, String> values(String text) {
        var values = new LinkedHashMap<String, String>();
        if (text.startsWith("/")) {
            var found = VALUE.matcher(text);
            while (found.find()) {
                var quoted = Optional.ofNullable(found.group(2)).filter(value -> !value.isEmpty());
                values.put(
                        found.group(1),
                        quoted.map(value -> value.replace("\\\"", "\""))
                                .orElse(Optional.ofNullable(found.group(3)).orElse("")));
            }
        }
        return values;
    }

    public boolean isCancel() {
        return type.startsWith("cancel");
    }
}
