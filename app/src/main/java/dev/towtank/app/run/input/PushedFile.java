package dev.towtank.app.run.input;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What is written for Pipelines-as-Code, which fills it in when something is pushed. Pure.
final class PushedFile {

    /// Those that every event fills in: of others one may be left where nothing is known.
    private static final Pattern PLACE =
            Pattern.compile("\\{\\{\\s*(?:revision|repo_url|repo_owner|repo_name|target_branch"
                    + "|source_branch|git_tag|source_url|sender|target_namespace|event_type|trigger_comment"
                    + "|pull_request_labels)\\s*}}");

    /// What runs such files.
    static final String ADVICE = "'towtank pac run' runs what is for a push, and 'towtank pac run --event pull_request'"
            + " what is for a pull request";

    private PushedFile() {}

    /// What is wrong with a text that nobody has filled in.
    static Optional<String> problem(String text) {
        var place = PLACE.matcher(text);
        return place.find()
                ? Optional.of(place.group() + " is for Pipelines-as-Code to fill in: " + ADVICE)
                : Optional.empty();
    }

    static List<String> problems(Stream<Document> documents) {
        return documents
                .filter(document -> document.isForPipelinesAsCode() && !document.isRemembered())
                .flatMap(document ->
                        problem(document.json().toString()).stream().map(problem -> document.place() + ": " + problem))
                .toList();
    }
}
