package dev.towtank.controllers.pipelinesascode.matching;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills `{{ name }}` in what a repository keeps in `.tekton`.
public final class Placeholders {

    private static final Pattern PLACE = Pattern.compile("\\{\\{([^}]{2,4096})}}");
    private static final int LONGEST = 8 << 20;

    private Placeholders() {}

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

    /// What nobody knows stays as it is.
    ///
    /// @throws IllegalArgumentException it becomes too long
    public static String fill(String text, GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params) {
        var filled = new StringBuilder();
        var places = PLACE.matcher(text);
        while (places.find()) {
            var value = value(places.group(1).strip(), event, files, params, places.group());
            places.appendReplacement(filled, Matcher.quoteReplacement(value));
            if (filled.length() > LONGEST) {
                throw new IllegalArgumentException("the files in .tekton become too long when they are filled");
            }
        }
        return places.appendTail(filled).toString();
    }

    private static String value(
            String key, GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params, String otherwise) {
        boolean isExpression = key.startsWith("cel:");
        if (isExpression || key.startsWith("body") || key.startsWith("headers") || key.startsWith("files")) {
            try {
                return text(
                        EventExpressions.value(isExpression ? key.substring(4).strip() : key, event, files, params));
            } catch (EventExpressions.Failed e) {
                return isExpression ? "" : otherwise;
            }
        }
        return params.getOrDefault(key, otherwise);
    }

    private static String text(Json value) {
        return switch (value) {
            case Json.Str(var text) -> text;
            case Json.Real(var number)
            when number == Math.rint(number) && Math.abs(number) < 1e15 -> String.valueOf((long) number);
            default -> JsonText.write(value);
        };
    }
}
