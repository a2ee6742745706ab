package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Fills `{{ name }}` in what a repository keeps in `.tekton`.
public final class Placeholders {

    private static final String CEL = "cel:";
    private static final int SHORTEST_NAME = 2;
    private static final int LONGEST_NAME = 4096;
    private static final int MOST_EXPRESSIONS = 1000;
    private static final int LONGEST = 8 << 20;

    private final Map<String, String> params;
    private final EventExpressions expressions;
    private final Map<String, Optional<String>> values = new HashMap<>();
    private long length;

    /// @param params by name
    public Placeholders(GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params) {
        this.params = Map.copyOf(params);
        this.expressions = new EventExpressions(event, files, params);
    }

    /// @param namespace where the run will be
    public static Map<String, String> standard(GitEvent event, String namespace) {
        var params = new LinkedHashMap<String, String>();
        params.put("revision", event.sha());
        params.put("repo_url", event.url());
        params.put("repo_owner", event.owner().toLowerCase(Locale.ROOT));
        params.put("repo_name", event.name().toLowerCase(Locale.ROOT));
        params.put("target_branch", EventExpressions.branch(event.base()));
        params.put("source_branch", EventExpressions.branch(event.head()));
        params.put(
                "git_tag", event.base().startsWith("refs/tags/") ? event.base().substring(10) : "");
        params.put("source_url", event.headUrl());
        params.put("sender", event.sender().toLowerCase(Locale.ROOT));
        params.put("target_namespace", namespace);
        params.put("event_type", shownType(event));
        params.put("trigger_comment", event.comment().replace("\r\n", "\\n").replace("\n", "\\n"));
        params.put("pull_request_labels", String.join("\\n", event.labels()));
        event.pullRequest().ifPresent(number -> params.put("pull_request_number", String.valueOf(number)));
        return params;
    }

    private static String shownType(GitEvent event) {
        boolean isComment = event.type().endsWith("-comment") && !event.type().equals(OpsComment.ON_COMMENT);
        return isComment ? GitEvent.PULL_REQUEST : event.type();
    }

    /// Fills all files of an event. What nobody knows stays as it is.
    ///
    /// @throws IllegalArgumentException they become too long, or take too much
    public String fill(String text) {
        var filled = new StringBuilder();
        int behind = 0;
        for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", behind)) {
            int close = text.indexOf('}', open + 2);
            if (close < 0) {
                break;
            }
            int name = close - open - 2;
            filled.append(text, behind, open);
            if (name < SHORTEST_NAME || name > LONGEST_NAME || !text.startsWith("}}", close)) {
                // No other place begins before the bracket, or it would end at the same one.
                behind = close + 1;
                filled.append(text, open, behind);
            } else {
                behind = close + 2;
                filled.append(value(text.substring(open + 2, close).strip()).orElse(text.substring(open, behind)));
            }
            check(filled.length());
        }
        filled.append(text, behind, text.length());
        length += filled.length();
        return filled.toString();
    }

    private void check(int more) {
        if (length + more > LONGEST) {
            throw new IllegalArgumentException("the files in .tekton become too long when they are filled");
        }
    }

    /// The same name always has the same value.
    private Optional<String> value(String key) {
        if (!isExpression(key)) {
            return Optional.ofNullable(params.get(key));
        }
        var known = values.get(key);
        if (known == null) {
            known = evaluated(key);
            values.put(key, known);
        }
        return known;
    }

    private static boolean isExpression(String key) {
        return Stream.of(CEL, "body", "headers", "files").anyMatch(key::startsWith);
    }

    private Optional<String> evaluated(String key) {
        boolean isCel = key.startsWith(CEL);
        if (values.size() == MOST_EXPRESSIONS) {
            throw new IllegalArgumentException(
                    "the files in .tekton hold more than " + MOST_EXPRESSIONS + " different expressions");
        }
        try {
            return Optional.of(
                    text(expressions.value(isCel ? key.substring(CEL.length()).strip() : key)));
        } catch (EventExpressions.Failed e) {
            if (expressions.isExhausted()) {
                throw new IllegalArgumentException("the expressions in .tekton take too many steps together");
            }
            return isCel ? Optional.of("") : Optional.empty();
        }
    }

    private static String text(Json value) {
        return switch (value) {
            case Json.Str(var text) -> text;
            case Json.Null _ -> "";
            case Json.Real(var number)
            when number == Math.rint(number) && Math.abs(number) < 1e15 -> String.valueOf((long) number);
            default -> JsonText.write(value);
        };
    }
}
