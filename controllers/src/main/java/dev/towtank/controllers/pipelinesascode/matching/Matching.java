package dev.towtank.controllers.pipelinesascode.matching;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Whether a run is for an event, by its annotations.
public final class Matching {

    private static final String HEADS = "refs/heads/";
    private static final String TAGS = "refs/tags/";

    private final GitEvent event;
    private final Supplier<ChangedFiles> files;
    private final Map<String, String> params;
    private final EventExpressions expressions;

    /// @param files asked for only where an annotation is about them
    /// @param params of the Repository
    public Matching(GitEvent event, Supplier<ChangedFiles> files, Map<String, String> params) {
        this.event = event;
        this.files = files;
        this.params = Map.copyOf(params);
        this.expressions = new EventExpressions(event, files, params);
    }

    /// @throws IllegalArgumentException an annotation is wrong
    public boolean matches(Json.Obj run) {
        var annotations = run.object("metadata", "annotations");
        var name = TektonFiles.name(run);
        if (isForAnotherNamespace(annotations)) {
            return false;
        }
        if (event.wanted().isPresent()) {
            var wanted = event.wanted().get();
            return name.equals(wanted) || name.equals(wanted + "-");
        }
        var onComment = annotations.string(PacKinds.PREFIX + "on-comment");
        if (!onComment.isEmpty()
                && !event.comment().isEmpty()
                && isFound(onComment, event.comment().strip())) {
            return true;
        }
        if (event.type().equals(OpsComment.NONE) || event.type().equals(OpsComment.ON_COMMENT)) {
            return false;
        }
        var expression = annotations.string(PacKinds.PREFIX + "on-cel-expression");
        if (!expression.isEmpty()) {
            try {
                return expressions.matches(expression);
            } catch (EventExpressions.Failed e) {
                throw new IllegalArgumentException("CEL expression evaluation error: " + e.text());
            }
        }
        return matchesByLists(annotations);
    }

    /// A file may say for which Repository it is, where copies of it are in several.
    private boolean isForAnotherNamespace(Json.Obj annotations) {
        var wanted = annotations.string(PacKinds.PREFIX + "target-namespace");
        var here = params.getOrDefault("target_namespace", "");
        return !wanted.isEmpty() && !here.isEmpty() && !wanted.equals(here);
    }

    /// What the author of a run should know, though it runs; empty where there is nothing.
    public static String warning(Json.Obj run) {
        var annotations = run.object("metadata", "annotations");
        var ignored = Stream.of("on-event", "on-target-branch", "on-label", "on-path-change", "on-path-change-ignore")
                .filter(name -> has(annotations, name))
                .toList();
        return ignored.isEmpty() || !has(annotations, "on-cel-expression")
                ? ""
                : "Warning: The PipelineRun '" + TektonFiles.name(run) + "' has 'on-cel-expression' defined along with "
                        + ignored + " annotation(s). The 'on-cel-expression' will take precedence and these annotations"
                        + " will be ignored";
    }

    private boolean matchesByLists(Json.Obj annotations) {
        if (!annotations.has(PacKinds.PREFIX + "on-event")
                || !annotations.has(PacKinds.PREFIX + "on-target-branch")
                || (event.type().equals(GitEvent.LABELED) && !annotations.has(PacKinds.PREFIX + "on-label"))) {
            return false;
        }
        var events = event.type().equals(GitEvent.INCOMING)
                ? List.of(GitEvent.INCOMING, GitEvent.PUSH)
                : List.of(event.target());
        return isAny(annotations, "on-event", events, false)
                && isAny(annotations, "on-target-branch", List.of(event.base()), true)
                && (!has(annotations, "on-path-change")
                        || isAny(annotations, "on-path-change", files.get().all(), true))
                && (!has(annotations, "on-label") || isAny(annotations, "on-label", event.labels(), false))
                && !(has(annotations, "on-path-change-ignore")
                        && isAny(
                                annotations,
                                "on-path-change-ignore",
                                files.get().all(),
                                true));
    }

    private static boolean has(Json.Obj annotations, String name) {
        return annotations.has(PacKinds.PREFIX + name);
    }

    private static boolean isAny(Json.Obj annotations, String name, List<String> candidates, boolean globs) {
        var text = annotations.string(PacKinds.PREFIX + name);
        if (text.equals("[]")) {
            throw new IllegalArgumentException("annotation " + PacKinds.PREFIX + name + " is empty");
        }
        return Annotations.values(text).stream()
                .anyMatch(value ->
                        candidates.stream().anyMatch(each -> value.equals(each) || (globs && isBranch(value, each))));
    }

    /// A bare name means a branch, on either side.
    private static boolean isBranch(String pattern, String branch) {
        if (pattern.startsWith(TAGS)) {
            return EventGlobs.matches(pattern, branch);
        }
        return EventGlobs.matches(
                pattern.startsWith(HEADS) ? pattern : HEADS + pattern,
                branch.startsWith(HEADS) || branch.startsWith(TAGS) ? branch : HEADS + branch);
    }

    private static boolean isFound(String expression, String text) {
        try {
            return Pattern.compile(expression).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
